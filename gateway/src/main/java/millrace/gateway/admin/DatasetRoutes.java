package millrace.gateway.admin;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Put;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import millrace.contracts.operation.VersionSwitch;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.requests.DatasetVersion;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.BlockingRoutes;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.body.RequestBodyReader;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows the versions of datasets that processors have told of, and switches to another one. */
@Controller("/admin/v1/datasets")
@Requires(beans = AdminKeys.class) // the public API has none
@BlockingRoutes
final class DatasetRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(DatasetRoutes.class);
    /** A processor publishes within two seconds what it has switched; its example query takes another one. */
    private static final Duration SWITCHED_WITHIN = Duration.ofSeconds(15);

    private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final String VERSION_WORDS = "the name of a version";

    private final AdminDependencies parts;

    DatasetRoutes(AdminDependencies parts) {
        this.parts = parts;
    }

    private record Listed(List<Answer> datasets) {}

    /**
     * @param version that new reports read; null where no processor has told of data
     * @param rowCount null until the version has been counted, as are the others of its facts
     * @param switchable whether one can switch to another version here, and not in the warehouse itself
     * @param versions the newest names first
     */
    private record Answer(
            String dataset,
            @Nullable String version,
            @Nullable Instant updatedAt,
            @Nullable Long rowCount,
            @Nullable Long entityCount,
            @Nullable Map<String, DatasetFacts.Span> periods,
            boolean switchable,
            List<Version> versions) {
        static Answer of(String dataset, @Nullable DatasetExample known) {
            if (known == null) {
                return new Answer(dataset, null, null, null, null, null, false, List.of());
            }
            DatasetFacts facts = known.facts();
            List<DatasetVersion> all = known.versions() == null ? List.of() : known.versions();
            return new Answer(
                    dataset,
                    known.version(),
                    facts == null ? null : facts.updatedAt(),
                    facts == null ? null : facts.rowCount(),
                    facts == null ? null : facts.entityCount(),
                    facts == null ? null : facts.periods(),
                    known.versions() != null,
                    all.stream()
                            .sorted(Comparator.comparing(DatasetVersion::version)
                                    .reversed())
                            .map(v -> new Version(
                                    v.version(), v.updatedAt(), v.version().equals(known.version())))
                            .toList());
        }
    }

    private record Version(String version, @Nullable Instant updatedAt, boolean current) {}

    @Get(headRoute = false)
    HttpResponse<byte[]> datasets() {
        return JsonResponses.ok(new Listed(parts.catalog().names().stream()
                .map(name -> Answer.of(name, parts.datasets().current(name).orElse(null)))
                .toList()));
    }

    /** Open reports go on with the version that they began with. */
    @Put("/{dataset}/version")
    HttpResponse<byte[]> switchVersion(
            HttpRequest<?> http, @PathVariable String dataset, @Nullable @Body InputStream body) {
        if (parts.catalog().dataset(dataset).isEmpty()) {
            throw RequestBodyReader.refusal(
                    http,
                    body,
                    JsonResponses.unknownDataset(
                            QueryParameters.shown(dataset), parts.catalog().names()));
        }
        Fields f = Fields.read(body);
        String to = f.text("version", VERSION, VERSION_WORDS);
        String from = f.text("from", VERSION, VERSION_WORDS);
        String reason = f.optional("reason", f::words);
        RefusedException.ifAny(f.errors());
        requirePossible(dataset, from, to);
        return switched(new VersionSwitch(
                dataset,
                from,
                to,
                AdminKeyFilter.actor(http),
                reason,
                parts.clock().instant()));
    }

    private static RefusedException refused(ProblemCode code, String sentence) {
        return new RefusedException(code, sentence + "; nothing was changed.");
    }

    /** Refuses a switch that is impossible, as far as this gateway knows. Processors look again. */
    private void requirePossible(String dataset, String from, String to) {
        DatasetExample known = parts.datasets().current(dataset).orElse(null);
        if (known == null) {
            throw refused(ProblemCode.CHANGE_REFUSED, "No processor has told of data of " + dataset + " yet");
        }
        List<DatasetVersion> versions = known.versions();
        if (versions == null) {
            throw refused(
                    ProblemCode.CHANGE_REFUSED,
                    "The versions of " + dataset + " are switched in the warehouse, in the table millrace_versions");
        }
        if (versions.stream().noneMatch(v -> v.version().equals(to))) {
            throw refused(ProblemCode.CHANGE_REFUSED, "There is no version " + to + " of " + dataset);
        }
        // If it has been switched already, repeating it is no mistake.
        if (!known.version().equals(from) && !known.version().equals(to)) {
            throw refused(
                    ProblemCode.VERSION_NOT_CURRENT,
                    "Version " + known.version() + " of " + dataset + " is current by now, and not " + from);
        }
    }

    private HttpResponse<byte[]> switched(VersionSwitch wanted) {
        try {
            var unused = parts.commands().append(wanted).get();
            LOG.info(
                    "version switch asked for dataset={} from={} to={} actor={} reason={}",
                    wanted.dataset(),
                    wanted.from(),
                    wanted.to(),
                    wanted.actor(),
                    wanted.reason());
            if (parts.datasets().awaitCurrent(wanted.dataset(), wanted.to(), SWITCHED_WITHIN)) {
                return JsonResponses.ok(Answer.of(
                        wanted.dataset(),
                        parts.datasets().current(wanted.dataset()).orElse(null)));
            }
            return JsonResponses.unavailable(
                    ProblemCode.OUTCOME_UNKNOWN,
                    "No processor has made version " + wanted.to() + " of " + wanted.dataset()
                            + " current yet: is one running, and is no import of the dataset? Their logs say why. Look, then"
                            + " repeat.");
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            return JsonResponses.unavailable(
                    ProblemCode.OUTCOME_UNKNOWN, "This gateway is stopping; look, then repeat.");
        } catch (ExecutionException | KafkaException e) {
            return JsonResponses.unavailable(
                    ProblemCode.OUTCOME_UNKNOWN,
                    "Kafka did not acknowledge in time; the version may or may not have been switched: look, then"
                            + " repeat.");
        }
    }
}
