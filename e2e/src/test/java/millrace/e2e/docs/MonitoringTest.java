package millrace.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.contracts.Json;
import org.junit.jupiter.api.Test;

/** Dashboards and alert rules use existing metrics, and the manual has an entry for each alert. */
class MonitoringTest {
    private static final Path DOCKER = Path.of("..", "docker");
    private static final Pattern METRIC = Pattern.compile("\\bmillrace_[a-z_]+");

    @Test
    void everyMetricIsInTheTableOfThoseThatServicesHave() throws IOException {
        Set<String> wanted = new TreeSet<>();
        for (String expression : expressions()) {
            Matcher metric = METRIC.matcher(expression);
            while (metric.find()) {
                wanted.add(metric.group().replaceFirst("_(bucket|count|sum)$", ""));
            }
        }
        assertThat(wanted).hasSizeGreaterThan(20).allSatisfy(metric -> assertThat(page("reference", "metrics.md"))
                .contains("| `" + metric + "` |"));
    }

    @Test
    void everyAlertSaysWhatToDo() throws IOException {
        List<String> alerts = new ArrayList<>();
        for (JsonNode group : rules().path("groups")) {
            for (JsonNode rule : group.path("rules")) {
                alerts.add(rule.path("alert").asText());
                assertThat(rule.at("/annotations/summary").asText()).isNotBlank();
                assertThat(rule.at("/labels/severity").asText()).isIn("warning", "critical");
            }
        }
        assertThat(alerts).isNotEmpty().allSatisfy(alert -> assertThat(page("operations.md"))
                .contains("| `" + alert + "` |"));
    }

    @Test
    void panelsDoNotOverlapAndHaveNumbersOfTheirOwn() throws IOException {
        for (JsonNode dashboard : dashboards()) {
            Set<Integer> ids = new TreeSet<>();
            Set<String> places = new TreeSet<>();
            for (JsonNode panel : dashboard.path("panels")) {
                assertThat(ids.add(panel.path("id").asInt())).isTrue();
                JsonNode grid = panel.path("gridPos");
                assertThat(grid.path("x").asInt() + grid.path("w").asInt()).isLessThanOrEqualTo(24);
                assertThat(places.add(grid.path("x") + "," + grid.path("y"))).isTrue();
            }
        }
    }

    private static List<String> expressions() throws IOException {
        List<String> all = new ArrayList<>(rules().findValuesAsText("expr"));
        for (JsonNode dashboard : dashboards()) {
            all.addAll(dashboard.path("panels").findValuesAsText("expr"));
        }
        return all;
    }

    private static List<JsonNode> dashboards() throws IOException {
        List<JsonNode> dashboards = new ArrayList<>();
        try (Stream<Path> files = Files.list(DOCKER.resolve("grafana/dashboards"))) {
            for (Path file : files.toList()) {
                dashboards.add(Json.MAPPER.readTree(Files.readString(file)));
            }
        }
        assertThat(dashboards).isNotEmpty();
        return dashboards;
    }

    private static JsonNode rules() throws IOException {
        return new YAMLMapper().readTree(DOCKER.resolve("prometheus/alerts.yml").toFile());
    }

    private static String page(String... path) {
        try {
            return Files.readString(Path.of("../docs", path));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
