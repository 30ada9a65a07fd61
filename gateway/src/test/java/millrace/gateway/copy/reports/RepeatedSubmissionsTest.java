package millrace.gateway.copy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import millrace.contracts.Hashes;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ReportRequest;
import millrace.gateway.copy.reports.ReadModel.Standing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same request with the same Idempotency-Key, again and again over years. */
class RepeatedSubmissionsTest {
    private static final String A = SampleRecords.ACCOUNT;
    private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");
    private static final ReportRequest REQUEST = SampleRecords.wanted("example.com");
    private static final ReportRequest OTHER_REQUEST = SampleRecords.wanted("example.org");

    private final ModelOnDisk disk = new ModelOnDisk();

    @AfterEach
    void close() {
        disk.close();
    }

    /** What is known is repeated; what is forgotten is made again, with an id that there never was. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 30, 400})
    void noIdComesTwice(int historyDays) {
        var random = new Random(historyDays);
        Set<UUID> used = new HashSet<>();
        UUID live = null;
        Instant knownUntil = BEGINNING;
        Instant now = BEGINNING;
        for (int i = 0; i < 300; i++) {
            // Nightly, within the day, just before and after it is forgotten.
            now = switch (random.nextInt(4)) {
                case 0 -> now.plus(Duration.ofDays(1));
                case 1 -> now.plus(Duration.ofMinutes(random.nextInt(1440)));
                case 2 -> now.isBefore(knownUntil) ? knownUntil : now;
                default -> now.isBefore(knownUntil.minusMillis(1)) ? knownUntil.minusMillis(1) : now;
            };
            if (live != null && !now.isBefore(knownUntil)) {
                forget(live);
                live = null;
            }
            SubmissionId id = id(REQUEST, now);
            Standing standing = standing(id);
            assertThat(standing.keyTaken()).isFalse();
            assertThat(standing.known()).as("%s, at %s", id, now).isEqualTo(live);
            if (live == null) {
                live = id.reportId();
                assertThat(used.add(live)).as("%s, at %s", id, now).isTrue();
                submit(id, now);
                Instant ended = now.plusSeconds(random.nextInt(3_600));
                complete(id, now, ended);
                knownUntil = ended.plus(Duration.ofDays(historyDays));
            }
            assertThat(standing(id(OTHER_REQUEST, now)).keyTaken()).isTrue();
        }
        assertThat(used).hasSizeGreaterThan(historyDays > 100 ? 2 : 20);
    }

    /** On the day of its submission its id would come again; later its key is refused by the ledger. */
    @Test
    void theKeyOfAReportThatIsErasedStaysTakenUntilItWouldHaveBeenForgotten() {
        SubmissionId id = id(REQUEST, BEGINNING);
        submit(id, BEGINNING);
        complete(id, BEGINNING, BEGINNING.plusSeconds(9));
        disk.erase(A, id.reportId());
        submit(id, BEGINNING); // its command may be read after its tombstone
        assertThat(disk.model().report(id.reportId())).isEmpty();
        assertThat(disk.model().open()).isZero();
        assertThat(disk.model().size()).isZero();
        for (SubmissionId again :
                List.of(id, id(REQUEST, BEGINNING.plus(Duration.ofDays(100))), id(OTHER_REQUEST, BEGINNING))) {
            assertThat(standing(again).known()).isNull();
            assertThat(standing(again).keyTaken()).isTrue();
        }
        assertThat(standing(id("other", REQUEST, BEGINNING)).keyTaken()).isFalse();
        forget(id.reportId());
        assertThat(standing(id(REQUEST, BEGINNING.plus(Duration.ofDays(400)))).keyTaken())
                .isFalse();
    }

    /** Earlier builds made ids of account, key and request alone. */
    @Test
    void aReportOfAnEarlierBuildIsRepeatedUntilItIsForgotten() {
        SubmissionId id = id(REQUEST, BEGINNING);
        UUID earlier = id.request();
        submit(new SubmissionId(earlier, earlier, id.idempotency()), BEGINNING);
        Instant later = BEGINNING.plus(Duration.ofDays(100));
        assertThat(standing(id(REQUEST, later)).known()).isEqualTo(earlier);
        assertThat(standing(id(OTHER_REQUEST, later)).keyTaken()).isTrue();
        complete(new SubmissionId(earlier, earlier, id.idempotency()), BEGINNING, BEGINNING.plusSeconds(9));
        assertThat(standing(id(REQUEST, later)).known()).isEqualTo(earlier);
        forget(earlier);
        assertThat(standing(id(REQUEST, later)).known()).isNull();
        assertThat(id(REQUEST, later).reportId()).isNotEqualTo(earlier);
    }

    /** Whatever the hour, but for one moment of the day, which is another one for each key. */
    @Test
    void gatewaysThatGetItAtTheSameTimeAgree() {
        Set<Instant> borders = new HashSet<>();
        for (int key = 0; key < 50; key++) {
            int changes = 0;
            for (int minute = 0; minute < 1440; minute++) {
                Instant at = BEGINNING.plus(Duration.ofMinutes(minute));
                if (!id("key " + key, REQUEST, at)
                        .reportId()
                        .equals(id("key " + key, REQUEST, at.plusSeconds(60)).reportId())) {
                    changes++;
                    borders.add(at);
                }
            }
            assertThat(changes).isEqualTo(1);
        }
        assertThat(borders).hasSizeGreaterThan(40);
    }

    private Standing standing(SubmissionId id) {
        return disk.model().standing(A, new Reservation(id.reportId(), 1, 1, id.idempotency()), List.of());
    }

    private void submit(SubmissionId id, Instant now) {
        disk.command(A, SampleRecords.request(id.reportId(), id.idempotency(), now), 0, 0);
    }

    private void complete(SubmissionId id, Instant submitted, Instant ended) {
        var file = new StoredFile(id.reportId() + "/1/0-1", 1, Hashes.sha256("file"));
        var result = new ReportStatus.Result(new ResultCounts(1, 1, 0), 1, file, ended.plusSeconds(1));
        disk.status(SampleRecords.request(id.reportId(), id.idempotency(), submitted)
                .undecidedStatus(A)
                .started(1, submitted)
                .completed(result, ended));
        disk.request(A, id.reportId(), id.idempotency(), new RequestPosition.Settled(0, 0));
    }

    /** The ledger writes both tombstones in one transaction. */
    private void forget(UUID reportId) {
        disk.forget(A, reportId);
        disk.forgetRequest(A, reportId);
    }

    private static SubmissionId id(ReportRequest request, Instant now) {
        return id("nightly", request, now);
    }

    private static SubmissionId id(String key, ReportRequest request, Instant now) {
        return SubmissionId.of(A, key, request, null, now, UUID::randomUUID);
    }
}
