package millrace.gateway.api.webhooks;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import millrace.contracts.Json;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.gateway.admission.CommandLog;
import millrace.gateway.admission.Submissions.ReportIdSource;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.accounts.Accounts;
import millrace.webhook.Exchange;
import millrace.webhook.Webhook;
import millrace.webhook.WebhookSigner;
import millrace.webhook.http.WebhookSender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a test event once. Where the URL answers with success, deliveries to it that a 410 had
 * stopped go on.
 */
@Singleton
public final class WebhookTestSender {
    public static final String EVENT_TYPE = "test_webhook_endpoint";
    public static final String PAYLOAD = "The webhook endpoint works: this event was sent by Millrace as a test.";
    private static final Logger LOG = LoggerFactory.getLogger(WebhookTestSender.class);
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final WebhookSender sender;
    private final Accounts accounts;
    private final CommandLog log;
    private final ReportIdSource ids;
    private final InstantSource clock;

    WebhookTestSender(
            GatewaySettings settings, Accounts accounts, CommandLog log, ReportIdSource ids, InstantSource clock) {
        this.sender = WebhookSender.start(settings.webhookAddresses(), DEADLINE, clock);
        this.accounts = accounts;
        this.log = log;
        this.ids = ids;
        this.clock = clock;
    }

    private record Event(String eventType, String payload) {}

    /** Empty where the event arrived, else a sentence that says what happened. */
    CompletableFuture<Optional<String>> send(String accountId, String url) {
        List<String> secrets = accounts.webhookSecrets(accountId).orElse(List.of());
        if (secrets.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.of("the account has no webhook secret to sign with."));
        }
        var webhook = new Webhook(
                url, "test_" + ids.next(), Json.text(new Event(EVENT_TYPE, PAYLOAD)), WebhookSigner.of(secrets));
        // Appending may block, and the sender's thread must not.
        return sender.send(webhook)
                .thenComposeAsync(
                        exchange -> exchange instanceof Exchange.Answered answered && answered.success()
                                ? reinstate(accountId, url)
                                : CompletableFuture.completedFuture(Optional.of(exchange.sentence())),
                        task -> Thread.ofVirtual().start(task));
    }

    private CompletableFuture<Optional<String>> reinstate(String accountId, String url) {
        return log.append(new DeliveryCommand.Reinstate(accountId, url, clock.instant()))
                .handle((at, failure) -> {
                    if (failure != null) {
                        LOG.warn(
                                "command not acknowledged after a webhook test accountId={} error={}",
                                accountId,
                                failure.toString());
                    }
                    return Optional.empty();
                });
    }

    @PreDestroy
    void close() {
        sender.close();
    }
}
