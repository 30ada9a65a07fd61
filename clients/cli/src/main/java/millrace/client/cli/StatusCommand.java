package millrace.client.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.Transport;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import millrace.client.cli.api.Http;
import millrace.client.cli.api.Session;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Table;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.Connection;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.runtime.cli.CliException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace status}. */
@Command(
        name = "status",
        description = {
            "For operators: whether the services are ready, what is missing, open reports and lag. Needs no key.",
            "",
            "The gateway's readiness is at the address of the API. The rest comes from the management port of each"
                    + " process (setting management.port), which --management names. Exit code 5 where something is not"
                    + " ready."
        },
        footer = "millrace status --management http://127.0.0.1:8090")
final class StatusCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MOST_BYTES = 16 << 20;

    @Option(
            names = "--management",
            split = ",",
            paramLabel = "<url>,…",
            description = "The management address of each process.")
    private List<String> management = List.of();

    private final Session session;

    StatusCommand(Session session) {
        this.session = session;
    }

    /**
     * @param service its name, if the answer does not have it
     * @param reason why there is no answer; "" if there is one
     */
    private record Health(String service, String where, boolean ready, JsonNode body, String reason) {}

    @Override
    public Integer call() throws CliException {
        URI api = session.connection().url();
        Http http = session.http();
        List<Health> all = new ArrayList<>();
        all.add(health(http, "API", api.toString(), "/health/readiness"));
        List<String> metrics = new ArrayList<>();
        for (String address : management) {
            String where = Connection.address(address).toString();
            all.add(health(http, "?", where, "/health/ready"));
            metrics.add(text(http, where + "/metrics"));
        }
        var values = new PrometheusText(metrics);
        if (session.json()) {
            session.print(json(all, values));
        } else {
            print(all, values);
        }
        return all.stream().allMatch(Health::ready) ? ExitCodes.DONE : ExitCodes.UNAVAILABLE;
    }

    private static Health health(Http http, String service, String where, String path) {
        try (Transport.Response response = http.get(where + path, TIMEOUT)) {
            String text = new String(response.body().readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            JsonNode body = Json.read(text);
            return body.has("status")
                    ? new Health(service, where, response.status() == 200, body, "")
                    : new Health(service, where, false, Json.object(), "HTTP " + response.status() + ", and no health");
        } catch (JsonProcessingException e) {
            return new Health(service, where, false, Json.object(), "it answers, but not as Millrace does");
        } catch (IOException e) {
            return new Health(service, where, false, Json.object(), "no answer: " + Failures.reason(e));
        }
    }

    /** "" if there are no metrics; its health says why. */
    private static String text(Http http, String address) {
        try (Transport.Response response = http.get(address, TIMEOUT)) {
            return response.status() == 200
                    ? new String(response.body().readNBytes(MOST_BYTES), StandardCharsets.UTF_8)
                    : "";
        } catch (IOException e) {
            return "";
        }
    }

    private void print(List<Health> all, PrometheusText values) {
        var table = new Table("service", "ready", "address", "missing");
        for (Health one : all) {
            JsonNode services = one.body().path("services");
            if (services.isEmpty()) {
                table.row(
                        one.service(),
                        one.ready() ? "yes" : "no",
                        one.where(),
                        one.reason().isEmpty() ? missing(one.body()) : one.reason());
            }
            services.properties().forEach(service -> {
                String missing = missing(service.getValue());
                table.row(service.getKey(), missing.isEmpty() ? "yes" : "no", one.where(), missing);
            });
        }
        session.print(table);
        if (management.isEmpty()) {
            session.say("for the other services, lag and open reports: --management with the address of each"
                    + " management port (setting management.port)");
            return;
        }
        session.out().println();
        var figures = new Table("figure", ">value");
        figures(values).forEach(figures::row);
        session.print(figures);
    }

    /** Names of the checks that fail. */
    private static String missing(JsonNode checks) {
        List<String> missing = new ArrayList<>();
        checks.properties().forEach(check -> {
            if (check.getValue().isBoolean() && !check.getValue().asBoolean()) {
                missing.add(check.getKey());
            }
        });
        return String.join(", ", missing);
    }

    /** What there is of the figures, as text by name. */
    private static Map<String, String> figures(PrometheusText values) {
        Map<String, String> figures = new LinkedHashMap<>();
        if (values.has("millrace_reports_open")) {
            // Every gateway counts all of them.
            figures.put("open reports", Words.number(values.max("millrace_reports_open")));
        }
        if (values.has("millrace_render_running_tasks")) {
            figures.put("slices rendered now", Words.number(values.sum("millrace_render_running_tasks")));
            figures.put("slices waiting", Words.number(values.sum("millrace_render_waiting_tasks")));
            figures.put("oldest slice waits", seconds(values.max("millrace_render_oldest_seconds")));
        }
        if (values.has("millrace_webhook_waiting")) {
            figures.put("webhooks waiting", Words.number(values.sum("millrace_webhook_waiting")));
            figures.put("oldest webhook waits", seconds(values.max("millrace_webhook_oldest_seconds")));
        }
        values.sums("millrace_consumer_lag_records", "reader")
                .forEach((reader, records) -> figures.put("lag of " + reader, Words.count(records, "record")));
        return figures;
    }

    private static String seconds(long seconds) {
        return Words.duration(Duration.ofSeconds(seconds));
    }

    private static ObjectNode json(List<Health> all, PrometheusText values) {
        ObjectNode json = Json.object().put("ready", all.stream().allMatch(Health::ready));
        ArrayNode processes = json.putArray("processes");
        for (Health one : all) {
            ObjectNode process = processes.addObject().put("url", one.where()).put("ready", one.ready());
            process.set("health", one.body());
            if (!one.reason().isEmpty()) {
                process.put("reason", one.reason());
            }
        }
        json.put("open_reports", values.max("millrace_reports_open"))
                .put("running_slices", values.sum("millrace_render_running_tasks"))
                .put("waiting_slices", values.sum("millrace_render_waiting_tasks"))
                .put("waiting_webhooks", values.sum("millrace_webhook_waiting"));
        ObjectNode lag = json.putObject("lag_records");
        values.sums("millrace_consumer_lag_records", "reader").forEach(lag::put);
        return json;
    }
}
