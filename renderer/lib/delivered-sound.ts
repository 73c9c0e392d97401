import { useSyncExternalStore } from "react";
import { Listeners } from "./listeners.ts";

const STORAGE_KEY = "tillgate.delivered-sound";

/** Two quiet tones, a fourth apart: hertz, and seconds after the first tone. */
const TONES = [
  [659, 0],
  [880, 0.09],
] as const;
const TONE_S = 0.16;
const LOUDNESS = 0.08;

const listeners = new Listeners();

function isOn(): boolean {
  return localStorage.getItem(STORAGE_KEY) !== null;
}

export function useDeliveredSound(): readonly [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore(listeners.subscribe, isOn);
  function choose(wanted: boolean) {
    if (wanted) {
      localStorage.setItem(STORAGE_KEY, "on");
      playTones();
    } else {
      localStorage.removeItem(STORAGE_KEY);
    }
    listeners.notify();
  }
  return [on, choose];
}

export function soundDelivered(): void {
  if (isOn()) {
    playTones();
  }
}

function playTones(): void {
  if (!("AudioContext" in globalThis)) {
    return;
  }
  const audio = new AudioContext();
  const begin = audio.currentTime;
  for (const [hertz, after] of TONES) {
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    const at = begin + after;
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(LOUDNESS, at);
    loudness.gain.exponentialRampToValueAtTime(0.001, at + TONE_S);
    tone.connect(loudness).connect(audio.destination);
    tone.start(at);
    tone.stop(at + TONE_S);
    if (after > 0) tone.addEventListener("ended", () => void audio.close());
  }
}
