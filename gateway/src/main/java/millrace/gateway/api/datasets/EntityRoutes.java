package millrace.gateway.api.datasets;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.EntityField;
import millrace.catalog.dataset.EntityRules;
import millrace.contracts.accounts.KeyScope;
import millrace.gateway.access.RequiredScopes;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.TakesParameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lists entities that are in the data. */
@Controller("/v3/batch/tables")
@BlockingRoutes
public final class EntityRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(EntityRoutes.class);
    public static final int LIMIT = 20;
    public static final int MOST = 100;
    private static final int LONGEST_PREFIX = 500;
    private static final Duration WAIT = Duration.ofSeconds(2);

    private final Catalog catalog;
    private final EntityNames names;

    EntityRoutes(Catalog catalog, EntityNames names) {
        this.catalog = catalog;
        this.names = names;
    }

    /** @param more whether further entities have the prefix */
    private record Entities(List<String> entities, boolean more) {}

    @Get("/{dataset}/entities")
    @RequiredScopes(KeyScope.READ)
    @TakesParameters({"prefix", "limit"})
    HttpResponse<byte[]> entities(HttpRequest<?> http, @PathVariable String dataset) {
        List<String> errors = new ArrayList<>();
        int limit = QueryParameters.integer(http, "limit", 1, MOST, LIMIT, errors);
        String prefix = http.getParameters().get("prefix");
        return entities(dataset, prefix == null ? "" : prefix, limit, errors);
    }

    /**
     * The entities of a dataset whose names begin so, or why there are none. Blocks.
     *
     * @param limit from 1 to {@link #MOST}
     * @throws RefusedException if the prefix is too long
     */
    public HttpResponse<byte[]> entities(String dataset, String prefix, int limit) {
        return entities(dataset, prefix, limit, new ArrayList<>());
    }

    /** @param errors what is wrong with the request already */
    private HttpResponse<byte[]> entities(String dataset, String prefix, int limit, List<String> errors) {
        Optional<Dataset> declared = catalog.dataset(dataset);
        if (declared.isEmpty()) {
            return JsonResponses.unknownDataset(dataset, catalog.names());
        }
        if (prefix.codePointCount(0, prefix.length()) > LONGEST_PREFIX) {
            errors.add("prefix: must have at most " + LONGEST_PREFIX + " characters.");
        }
        RefusedException.ifAny(errors);
        return entities(declared.get(), prefix, limit);
    }

    private HttpResponse<byte[]> entities(Dataset dataset, String prefix, int limit) {
        EntityField.Kind kind = dataset.entity().kind();
        String start = EntityRules.normalStart(kind, prefix);
        try {
            List<String> found = names.startingWith(
                    dataset.name(), start, name -> EntityRules.canBeNamed(kind, name), limit + 1, WAIT);
            boolean more = found.size() > limit;
            return JsonResponses.ok(new Entities(more ? found.subList(0, limit) : found, more));
        } catch (IOException e) {
            LOG.debug("entities not listed dataset={} error={}", dataset.name(), e.getMessage());
            return JsonResponses.unavailable(
                    ProblemCode.DATASET_UNAVAILABLE,
                    "The entities of " + dataset.name() + " are not known at the moment; try again.");
        }
    }
}
