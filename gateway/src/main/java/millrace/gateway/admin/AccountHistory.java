package millrace.gateway.admin;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.PartitionReader;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Tells what happened to an account, from the topics that tell of it, when somebody asks. */
@Controller("/admin/v1/accounts/{id}")
@Requires(beans = AdminKeys.class) // the public API has none
@BlockingRoutes
final class AccountHistory {
    private static final int LIMIT = 50;
    private static final int MOST = 1000;

    private final AdminDependencies parts;

    AccountHistory(AdminDependencies parts) {
        this.parts = parts;
    }

    /** @param history the newest first */
    private record Credits(
            long remaining,
            @Nullable Long granted,
            @Nullable Long reserved,
            @Nullable Long used,
            List<LedgerEntry> history) {}

    private record Audit(List<AccountAudit> audit) {}

    @Get(uri = "/credits", headRoute = false)
    @TakesParameters("limit")
    HttpResponse<byte[]> credits(HttpRequest<?> http, @PathVariable String id) {
        return told(http, id, limit -> {
            Optional<AccountState> state = parts.model().balance(id);
            return new Credits(
                    parts.model().remaining(id),
                    state.map(AccountState::granted).orElse(null),
                    state.map(AccountState::reserved).orElse(null),
                    state.map(AccountState::used).orElse(null),
                    newest(Topics.CREDIT_LEDGER, id, limit));
        });
    }

    @Get(uri = "/audit", headRoute = false)
    @TakesParameters("limit")
    HttpResponse<byte[]> audit(HttpRequest<?> http, @PathVariable String id) {
        return told(http, id, limit -> new Audit(newest(Topics.ACCOUNT_AUDIT, id, limit)));
    }

    private HttpResponse<byte[]> told(HttpRequest<?> http, String id, IntFunction<Object> answer) {
        if (parts.accounts().record(id).isEmpty()) {
            return JsonResponses.unknownAccount(id);
        }
        List<String> errors = new ArrayList<>();
        int limit = QueryParameters.integer(http, "limit", 1, MOST, LIMIT, errors);
        RefusedException.ifAny(errors);
        try {
            return JsonResponses.ok(answer.apply(limit));
        } catch (KafkaException e) {
            return JsonResponses.unavailable(ProblemCode.KAFKA_UNAVAILABLE, "Kafka did not answer in time; try again.");
        }
    }

    /** The account's values among the newest records of its partition, the newest first. */
    private <V> List<V> newest(Topic<V> topic, String accountId, int limit) {
        Deque<byte[]> found = new ArrayDeque<>();
        boolean unused = PartitionReader.read(parts.kafka(), "account-history", topic, accountId, null, record -> {
            found.addFirst(record.value());
            if (found.size() > limit) {
                found.removeLast();
            }
        });
        return found.stream().map(topic::decode).toList();
    }
}
