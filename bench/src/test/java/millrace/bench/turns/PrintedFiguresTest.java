package millrace.bench.turns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lines as benchmarks print them, those of today and of builds before. */
class PrintedFiguresTest {
    @Test
    void namesANumberByTheWordsAroundIt() {
        assertThat(figures(
                        "at 50/s: p50 8.6 ms, p95 15.8 ms, p99 31.2 ms; 17.9 ms CPU each, 6.3 of them the compilers'"))
                .containsExactly(
                        entry("at …/s", 50.0),
                        entry("at 50/s: p50 … ms", 8.6),
                        entry("at 50/s: p95 … ms", 15.8),
                        entry("at 50/s: p99 … ms", 31.2),
                        entry("at 50/s: … ms CPU each", 17.9),
                        entry("at 50/s: … of them the compilers'", 6.3));
    }

    @Test
    void ofSeveralLinesOfARunTheMedianCounts() {
        assertThat(figures("at 50/s: p50 17.0 ms", "at 50/s: p50 9.0 ms", "at 50/s: p50 10.0 ms"))
                .containsEntry("at 50/s: p50 … ms", 10.0);
    }

    @Test
    void ofAMedianWithItsSpreadOnlyTheMedianCounts() {
        assertThat(figures(
                        "request-report       64 connections: 0.831 (0.790 to 0.840) of bare in answers a second, 1.70 (1.60 to 1.80)"
                                + " times its CPU",
                        "ledger   5,170 (5,100 to 5,510) commands a second, 15.2 (15.1 to 15.3) records written for each; CPU each:"
                                + " 190 (188 to 195) us, of Kafka 78.0 (77.0 to 79.0) us; peak memory 1,212 MB"))
                .containsEntry("request-report 64 connections: … of bare in answers a second", 0.831)
                .containsEntry("request-report 64 connections: … times its CPU", 1.7)
                .containsEntry("ledger … commands a second", 5170.0)
                .containsEntry("ledger 5,170 commands a second: of Kafka … us", 78.0)
                .containsEntry("ledger 5,170 commands a second: peak memory … MB", 1212.0);
    }

    @Test
    void tellsLinesWithTheSameWordsApartByTheirSettings() {
        List<String> one = List.of(
                "  request-report, 64 connections: 14,000 (12,900 to 14,100) answers a second, 73.0 (72.0 to 74.0) us CPU each",
                "  request-report, 256 connections: 15,100 (15,000 to 15,800) answers a second, 69.0 (68.0 to 70.0) us CPU each");
        List<String> other = List.of(
                "  request-report, 64 connections: 14,500 (12,900 to 14,900) answers a second, 71.0 (70.0 to 74.0) us CPU each",
                "  request-report, 256 connections: 15,900 (15,000 to 16,000) answers a second, 66.0 (65.0 to 70.0) us CPU each");
        assertThat(PrintedFigures.of(List.of(one, other)).getLast())
                .containsEntry("request-report, 64 connections: … answers a second", 14_500.0)
                .containsEntry("request-report, 256 connections: … us CPU each", 66.0);
    }

    @Test
    void indentedLinesBelongToTheHeadingAboveThem() {
        assertThat(figures(
                        "6 partitions, 3 processors: all are ready after 20.1 s",
                        "  kafka        idle:  7.2 % of a core, 396 MB resident",
                        "256 partitions, 3 processors: all are ready after 31.0 s",
                        "  kafka        idle: 21.0 % of a core, 758 MB resident"))
                .containsEntry("6 partitions, 3 processors: kafka idle: … % of a core", 7.2)
                .containsEntry("256 partitions, 3 processors: kafka idle: … MB resident", 758.0);
    }

    @Test
    void writesOutWhatIsTheSameInAllRunsOnly() {
        List<Map<String, Double>> runs = PrintedFigures.of(List.of(
                List.of("gateway, archive of 80 MiB                   1.70 (1.60 to 1.80)      3.10 (3.00 to 3.20)"),
                List.of("gateway, archive of 81 MiB                   1.60 (1.50 to 1.70)      3.00 (2.90 to 3.10)")));
        assertThat(runs.getFirst())
                .containsExactly(
                        entry("gateway archive of … MiB", 80.0),
                        entry("gateway archive of # MiB: …", 1.7),
                        entry("gateway archive of # MiB: … (2)", 3.1));
        assertThat(runs.getLast()).containsOnlyKeys(runs.getFirst().keySet());
    }

    @Test
    void aLineThatHasGrownKeepsTheNamesOfItsFigures() {
        List<Map<String, Double>> runs = PrintedFigures.of(List.of(
                List.of(
                        "resident at most                 535 MB, of the former one 300 MB",
                        "live after a collection          119 MB"),
                List.of(
                        "resident at most                 530 MB",
                        "live after a collection          120 MB, 101 bytes of an event")));
        assertThat(runs.getLast())
                .containsEntry("resident at most … MB", 530.0)
                .containsEntry("live after a collection … MB", 120.0);
        assertThat(runs.getFirst())
                .containsEntry("resident at most … MB", 535.0)
                .containsEntry("live after a collection … MB", 119.0);
    }

    @Test
    void readsOtherShapes() {
        assertThat(figures(
                        "small: 0.930 (0.920 to 0.970) ms CPU each; the last round: cpu 0.930 (1070 reports/s on one thread, 900 rows"
                                + " each), peak memory 337 MB at -Xmx256m",
                        "CPU per delivery, us             59.0 (46.0 to 77.0), 0.39 times the target of 150",
                        "healthy, 200 a second: late p50 / p99 / max 1.1 / 11.0 / 30.2 ms",
                        "processor killed                            6.8      7.5 Infinity    ",
                        "for them: -1 MB live, 56 MB resident, 0.9 % of a core"))
                .containsEntry("small: … ms CPU each", 0.93)
                .containsEntry("small: … reports/s on one thread", 1070.0)
                .containsEntry("small: peak memory … MB at -Xmx256m", 337.0)
                .containsEntry("CPU per delivery us …", 59.0)
                .containsEntry("healthy, 200 a second: late p50 / p99 / max 1.1 / … / 30.2 ms", 11.0)
                .containsEntry("processor killed 6.8: 7.5 …", Double.POSITIVE_INFINITY)
                .containsEntry("for them: … MB live", -1.0);
    }

    @Test
    void findsNothingInWordsPathsAndDates() {
        assertThat(figures(
                        "goes on with the state in /tmp/data-1/2, which is measured, too",
                        "heap                            400m, since 2026-11-27",
                        "",
                        "making the data, once"))
                .isEmpty();
    }

    private static Map<String, Double> figures(String... lines) {
        return PrintedFigures.of(List.of(List.of(lines))).getFirst();
    }
}
