package millrace.gateway.api.keys;

import io.micronaut.http.HttpResponse;
import java.util.function.Function;
import millrace.contracts.accounts.AccountRecord;
import millrace.gateway.accounts.AccountWriter;
import millrace.gateway.accounts.rules.AccountDecision;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes changes of accounts and answers what became of them. */
public final class AccountChanges {
    private static final Logger LOG = LoggerFactory.getLogger(AccountChanges.class);

    private final AccountWriter writer;

    public AccountChanges(AccountWriter writer) {
        this.writer = writer;
    }

    /**
     * Blocks until the change is made or refused.
     *
     * @param actor for the audit record
     * @param answer of the account after the change, also where it was like that before
     */
    public HttpResponse<byte[]> make(
            String actor, AccountWriter.RequestedChange change, Function<AccountRecord, HttpResponse<byte[]>> answer) {
        try {
            return switch (writer.change(actor, change)) {
                case AccountDecision.Changed c -> answer.apply(c.after());
                case AccountDecision.Unchanged(AccountRecord record) -> answer.apply(record);
                case AccountDecision.Refused(ProblemCode code, String sentence) ->
                    JsonResponses.problem(code, sentence);
            };
        } catch (InvalidTimestampException e) {
            return JsonResponses.unavailable(
                    ProblemCode.KAFKA_UNAVAILABLE, "Nothing was changed: " + e.getMessage() + ".");
        } catch (KafkaException e) {
            LOG.warn("account change not acknowledged accountId={} error={}", change.accountId(), e.toString());
            return JsonResponses.unavailable(
                    ProblemCode.OUTCOME_UNKNOWN,
                    "Kafka did not acknowledge in time; the change may or may not have been made: look, then repeat.");
        }
    }
}
