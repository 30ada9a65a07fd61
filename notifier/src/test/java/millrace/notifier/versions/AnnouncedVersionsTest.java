package millrace.notifier.versions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.DatasetFacts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnnouncedVersionsTest {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");

    /**
     * Each word is a record: a version, and the minute at which it became current; without one where the warehouse does
     * not say. {@code ?} after it: its facts are not known yet.
     */
    @ParameterizedTest
    @CsvSource({
        "the first one,                               a1,                  1 a published",
        "each processor publishes the same,           a1 a1 a1,            1 a published",
        "the next one,                                a1 b2,               1 a published; 2 b published",
        "not before its facts are known,              a1 b2? b2? b2,       1 a published; 2 b published",
        "a processor that starts is late,             a1 b2 a1 b2,         1 a published; 2 b published",
        "back,                                        a1 b2 a3,            1 a published; 2 b published; 3 a restored",
        "back and forth,                    a1 b2 a3 b4, 1 a published; 2 b published; 3 a restored; 4 b restored",
        "the file of the current one is copied,       a1 a2 a3,            1 a published",
        "the time is not known,                       a b a,               1 a published; 2 b published",
        "the time was not known for a moment,         a1 b b2,             1 a published; 2 b published",
        "back by a clock that is behind,              a5 b6 a2,            1 a published; 2 b published; 3 a restored",
    })
    void announces(String what, String records, String expected) {
        var announced = new AnnouncedVersions();
        assertThat(String.join("; ", announce(announced, records))).isEqualTo(expected);
    }

    private static List<String> announce(AnnouncedVersions announced, String records) {
        List<String> all = new ArrayList<>();
        for (String record : records.split(" ", -1)) {
            announced.next(example(record), NOW).ifPresent(next -> {
                announced.add(next);
                all.add(next.sequence() + " " + next.version() + " "
                        + next.change().name().toLowerCase(java.util.Locale.ROOT));
            });
        }
        return all;
    }

    /** An owner that reads the topic announces nothing that is in it. */
    @Test
    void goesOnFromWhatItReads() {
        var first = new AnnouncedVersions();
        List<String> unused = announce(first, "a1 b2 a3");
        var next = new AnnouncedVersions();
        first.newest("keywords").ifPresent(newest -> {
            next.add(announcement(1, "a", 1));
            next.add(newest);
            next.add(announcement(2, "b", 2)); // in whatever order
        });
        assertThat(announce(next, "a1 b2 a3 c4")).containsExactly("4 c published");
    }

    @Test
    void saysWhatWasThereBefore() {
        var announced = new AnnouncedVersions();
        assertThat(announced.next(example("a1"), NOW)).hasValueSatisfying(first -> {
            assertThat(first.previous()).isNull();
            announced.add(first);
        });
        Optional<DataVersionAvailable> second = announced.next(example("b2"), NOW);
        assertThat(second).hasValueSatisfying(next -> {
            assertThat(next.previous()).isEqualTo(new DataVersionAvailable.Previous("a", facts(1).periods()));
            assertThat(next.periods()).isEqualTo(facts(2).periods());
            assertThat(next.rowCount()).isEqualTo(20);
            assertThat(next.occurredAt()).isEqualTo(NOW);
        });
    }

    @Test
    void tellsDatasetsApart() {
        var announced = new AnnouncedVersions();
        List<String> unused = announce(announced, "a1 b2");
        DatasetExample other = example("a1");
        var elsewhere =
                new DatasetExample("demographics", other.version(), null, other.facts(), null, null, null, null);
        assertThat(announced.next(elsewhere, NOW))
                .hasValueSatisfying(next -> assertThat(next.sequence()).isEqualTo(1));
    }

    private static DataVersionAvailable announcement(int sequence, String version, int minute) {
        return new DataVersionAvailable(
                "keywords",
                sequence,
                version,
                DataVersionAvailable.Change.PUBLISHED,
                null,
                at(minute),
                10,
                1,
                Map.of(),
                null,
                NOW);
    }

    private static DatasetExample example(String record) {
        String time = record.replaceAll("[^0-9]", "");
        Integer minute = time.isEmpty() ? null : Integer.valueOf(time);
        return new DatasetExample(
                "keywords",
                record.substring(0, 1),
                null,
                record.endsWith("?") ? null : facts(minute == null ? 1 : minute),
                null,
                List.of(List.of("web_desktop_data")),
                at(minute),
                null);
    }

    private static @Nullable Instant at(@Nullable Integer minute) {
        return minute == null ? null : NOW.plusSeconds(60L * minute);
    }

    private static DatasetFacts facts(int size) {
        var span = new DatasetFacts.Span(LocalDate.EPOCH, LocalDate.EPOCH.plusMonths(size));
        return new DatasetFacts(null, 10L * size, size, Map.of("monthly", span), List.of());
    }
}
