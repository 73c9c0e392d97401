<?php
/**
 * Receives webhooks of a Tillgate gateway and checks their signatures. PHP 8.0 or later, without extensions.
 *
 *     export TILLGATE_WEBHOOK_SECRET=whsec_...
 *     php -S 127.0.0.1:8000 receive.php
 *
 * Start it, register its address as a webhook, and start it again with the secret that the gateway shows.
 * The signatures follow https://www.standardwebhooks.com.
 */
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/** Verifies the sender of a message. The body is the received text. */
function isGenuine(string $secret, string $id, string $timestamp, string $signatures, string $body): bool
{
    if (!preg_match('/^\d{1,12}$/', $timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // While a secret is being replaced, a message has a signature of each.
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

// The gateway sends a HEAD before it stores the address.
if ($_SERVER['REQUEST_METHOD'] === 'HEAD') {
    exit;
}

$body = file_get_contents('php://input');
$isGenuine = isGenuine(
    getenv('TILLGATE_WEBHOOK_SECRET'),
    $_SERVER['HTTP_WEBHOOK_ID'] ?? '',
    $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '',
    $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '',
    $body,
);
if (!$isGenuine) {
    http_response_code(401);
    exit;
}

// A message may arrive twice: store $_SERVER['HTTP_WEBHOOK_ID'] in your database, together with the result.
// A record without a transaction, such as a report, is printed by its kind.
$record = json_decode($body, true);
$subject = $record['transactionId'] ?? $_SERVER['HTTP_WEBHOOK_KIND'];
file_put_contents('php://stdout', $subject . ' ' . ($record['status'] ?? '') . "\n");
