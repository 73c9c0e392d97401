<?php
/**
 * Sells a top-up through the /v1 API of a Tillgate gateway. PHP 8.0 or later, without extensions.
 *
 *     export TILLGATE_URL=http://127.0.0.1:8787 TILLGATE_KEY=...
 *     php sell.php offers GT
 *     php sell.php buy TIGO_GT_TOPUP_25 +50251234567 order-1
 */
declare(strict_types=1);

const ATTEMPTS = 5;
const PAGE = 100;

/** The gateway refused the request and did nothing. */
final class Refused extends RuntimeException
{
    public string $errorCode;
    /** @var array<string, string> the message for each wrong field */
    public array $fields;

    public function __construct(int $status, array $body)
    {
        $this->errorCode = $body['errorCode'] ?? '';
        $this->fields = $body['fields'] ?? [];
        parent::__construct("$status {$this->errorCode}: " . ($body['message'] ?? ''), $status);
    }
}

/**
 * Calls an operation. Repeats it when the answer is lost, and after 429 and 503.
 * A repeat is safe for reads, and for purchases because each has a transactionId.
 */
function call(string $method, string $path, array $query = [], ?array $body = null): array
{
    $address = getenv('TILLGATE_URL') . "/v1$path" . ($query ? '?' . http_build_query($query) : '');
    $headers = ['Authorization: Bearer ' . getenv('TILLGATE_KEY')];
    $http = ['method' => $method, 'timeout' => 30, 'ignore_errors' => true, 'follow_location' => 0];
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
        $http['content'] = json_encode($body, JSON_THROW_ON_ERROR);
    }
    $context = stream_context_create(['http' => $http + ['header' => $headers]]);
    for ($attempt = 1; ; $attempt++) {
        $stream = @fopen($address, 'r', false, $context);
        $answer = $stream ? json_decode(stream_get_contents($stream), true) : null;
        $answerHeaders = $stream ? stream_get_meta_data($stream)['wrapper_data'] : [];
        $status = (int) (explode(' ', $answerHeaders[0] ?? '')[1] ?? 0);
        if ($status === 200 && is_array($answer)) {
            return $answer;
        }
        // Without JSON the response is missing or incomplete.
        if (is_array($answer) && !in_array($status, [429, 502, 503, 504], true)) {
            throw new Refused($status, $answer);
        }
        if ($attempt === ATTEMPTS) {
            throw new RuntimeException("$method $path: no answer after " . ATTEMPTS . ' attempts');
        }
        usleep(retryDelay($answerHeaders, $attempt));
    }
}

/** @return int microseconds */
function retryDelay(array $headers, int $attempt): int
{
    foreach ($headers as $header) {
        if (preg_match('/^retry-after:\s*(\d+)$/i', $header, $found)) {
            return (int) $found[1] * 1_000_000;
        }
    }
    return $attempt * 500_000;
}

/** Yields every item of a list, page by page. */
function listAll(string $path, array $filters): Generator
{
    for ($offset = 0; ; $offset += PAGE) {
        $page = call('GET', $path, $filters + ['_limit' => PAGE, '_offset' => $offset]);
        yield from array_values($page['list']);
        if ($offset + PAGE >= $page['total']) {
            return;
        }
    }
}

/** Buys once per transaction id, however often it is called with it. */
function buyTopup(string $offerId, string $phoneNumber, string $transactionId): void
{
    $purchase = [
        'offerId' => $offerId,
        'transactionId' => $transactionId,
        'recipientPhoneNumber' => $phoneNumber,
    ];
    try {
        call('POST', '/topups/purchases', [], $purchase);
    } catch (Refused $refusal) {
        if ($refusal->errorCode !== 'DUPLICATE_TRANSACTION_ID') {
            throw $refusal;
        }
        // An earlier request arrived. Make sure that it bought the same thing.
        $first = call('GET', "/topups/purchases/$transactionId");
        if (array_intersect_key($first, $purchase) != $purchase) {
            throw $refusal;
        }
    }
}

/** Returns the record of the purchase when it is final: DONE or FAILED. */
function waitForTopup(string $transactionId, int $timeoutSeconds = 120): array
{
    $deadline = time() + $timeoutSeconds;
    while (true) {
        $record = call('GET', "/topups/purchases/$transactionId");
        if (in_array($record['status'], ['DONE', 'FAILED'], true)) {
            return $record;
        }
        if (time() > $deadline) {
            throw new RuntimeException("$transactionId is still {$record['status']}");
        }
        usleep(500_000);
    }
}

try {
    [, $command, $first] = $argv + [1 => '', 2 => ''];
    if (count($argv) !== (['offers' => 3, 'buy' => 5][$command] ?? 0)) {
        fwrite(STDERR, "sell.php offers COUNTRY | buy OFFER_ID PHONE_NUMBER TRANSACTION_ID\n");
        exit(2);
    }
    if ($command === 'offers') {
        foreach (listAll('/topups/offers', ['country' => $first]) as $offer) {
            echo "{$offer['offerId']}\t{$offer['priceType']}\t{$offer['shortNotes']}\n";
        }
        exit(0);
    }
    [, , $offerId, $phoneNumber, $transactionId] = $argv;
    buyTopup($offerId, $phoneNumber, $transactionId);
    $record = waitForTopup($transactionId);
    echo $record['status'], ' ', $record['error']['code'] ?? '', "\n";
    exit($record['status'] === 'DONE' ? 0 : 1);
} catch (Refused $refusal) {
    fwrite(STDERR, $refusal->getMessage() . ' ' . json_encode($refusal->fields) . "\n");
    exit(2);
}
