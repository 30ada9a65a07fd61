package millrace.processor.ledger.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import millrace.contracts.reports.ReportStatus;
import org.junit.jupiter.api.Test;

/** See {@link LedgerTable} for how to read the tables, and {@link LedgerSamples#RULES} for the limits. */
class LedgerTableTest {

    @Test
    void creditsAreGrantedOncePerGrant() {
        LedgerTable.play("""
                grant a 100                  -> grant 100                              | 100 0 0
                grant a 100                  -> -                                      | 100 0 0
                grant a 999                  -> -                                      | 100 0 0
                grant b 1                    -> grant 1                                | 101 0 0
                grant c 0                    -> refused                                | 101 0 0
                grant d -5                   -> refused                                | 101 0 0
                grant e 9223372036854775807  -> throws                                 | 101 0 0
                grant e 9223372036854775706  -> grant 9223372036854775706              | 9223372036854775807 0 0
                """);
    }

    @Test
    void creditsExpireAsFarAsTheyRemain() {
        LedgerTable.play("""
                expire x 5                   -> expiry 0                               | 0 0 0
                grant a 100                  -> grant 100                              | 100 0 0
                expire x 5                   -> -                                      | 100 0 0
                expire y 5                   -> expiry 5                               | 95 0 0
                expire y 5                   -> -                                      | 95 0 0
                expire a 5                   -> -                                      | 95 0 0
                request r credits=60         -> reservation 60, processing r in 1, dispatch r/1/0#1 | 35 60 0
                expire z 9223372036854775807 -> expiry 35                              | 0 60 0
                done r/1/0#1 results=25      -> settlement 25, release 35, complete r for 25        | 35 0 25
                expire v 0                   -> refused                                | 35 0 25
                expire v -1                  -> refused                                | 35 0 25
                """);
    }

    @Test
    void aSmallReportIsReservedRenderedAndSettled() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100                              | 100 0 0
                request r credits=60         -> reservation 60, processing r in 1, dispatch r/1/0#1 | 40 60 0
                request r credits=60         -> -                                      | 40 60 0
                done r/1/0#1 results=25      -> settlement 25, release 35, complete r for 25        | 75 0 25
                done r/1/0#1 results=25      -> -                                      | 75 0 25
                """);
        ReportStatus status = reader.known("r").status();
        assertThat(status.sequence()).isEqualTo(2);
        assertThat(status.receipt())
                .isEqualTo(new ReportStatus.Receipt(
                        60,
                        25,
                        35,
                        "1 credit per result",
                        List.of(
                                LedgerSamples.id("r") + ".1.reservation",
                                LedgerSamples.id("r") + ".1.settlement",
                                LedgerSamples.id("r") + ".1.release")));
    }

    @Test
    void aFileIsKeptForAsLongAsItsRequestSaysAndTheOperatorAllows() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100                              | 100 0 0
                request r credits=20         -> reservation 20, processing r in 1, dispatch r/1/0#1 | 80 20 0
                done r/1/0#1 results=20      -> settlement 20, complete r for 20       | 80 0 20
                request s credits=20 keep=180 -> reservation 20, processing s in 1, dispatch s/1/0#1 | 60 20 20
                done s/1/0#1 results=20      -> settlement 20, complete s for 20       | 60 0 40
                request t credits=20 keep=999 -> reservation 20, processing t in 1, dispatch t/1/0#1 | 40 20 40
                done t/1/0#1 results=20      -> settlement 20, complete t for 20       | 40 0 60
                """);
        assertThat(keptDays(reader, "r")).isEqualTo(30);
        assertThat(keptDays(reader, "s")).isEqualTo(180);
        assertThat(keptDays(reader, "t")).isEqualTo(365);
        assertThat(reader.known("s").status().reportName()).isEqualTo("weekly audience");
    }

    private static long keptDays(MemoryAccountReader reader, String report) {
        ReportStatus status = reader.known(report).status();
        var result = Objects.requireNonNull(status.result());
        return Duration.between(status.updatedAt(), result.expiresAt()).toDays();
    }

    @Test
    void aReportIsNeverChargedMoreThanWasReserved() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                request r credits=60         -> reservation 60, processing r in 1, dispatch r/1/0#1 | 40 60 0
                done r/1/0#1 results=70      -> settlement 60, complete r for 60       | 40 0 60
                request s credits=40         -> reservation 40, processing s in 1, dispatch s/1/0#1 | 0 40 60
                done s/1/0#1 results=0       -> settlement 0, release 40, complete s for 0          | 40 0 60
                request f credits=0          -> reservation 0, processing f in 1, dispatch f/1/0#1  | 40 0 60
                done f/1/0#1 results=0       -> settlement 0, complete f for 0         | 40 0 60
                request p credits=40         -> reservation 40, processing p in 1, dispatch p/1/0#1 | 0 40 60
                done p/1/0#1 results=3 revealed=2 -> settlement 5, release 35, complete p for 5     | 35 0 65
                request n credits=-1         -> refused
                """);
    }

    @Test
    void whatCannotBeReservedFailsUncharged() {
        LedgerTable.play("""
                request r credits=1          -> insufficient_credits r                 | 0 0 0
                grant a 100                  -> grant 100
                request s credits=101        -> insufficient_credits s                 | 100 0 0
                request t credits=100        -> reservation 100, processing t in 1, dispatch t/1/0#1 | 0 100 0
                request u credits=1          -> insufficient_credits u                 | 0 100 0
                request v credits=0          -> reservation 0, processing v in 1, dispatch v/1/0#1   | 0 100 0
                """);
    }

    /** The gateway has looked names up in one version, and the report may read another one. */
    @Test
    void aReportReservesWhatItCostsInTheVersionThatItReads() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                data v1                      -> -
                request r credits=60 in-v1=20 -> reservation 20, processing r in 1, dispatch r/1/0#1 | 80 20 0
                done r/1/0#1 results=15      -> settlement 15, release 5, complete r for 15         | 85 0 15
                request s credits=60 in-v1=0 -> reservation 0, processing s in 1, dispatch s/1/0#1  | 85 0 15
                done s/1/0#1 results=0       -> settlement 0, complete s for 0                      | 85 0 15
                request t credits=60 in-v2=20 -> quote 60, reservation 60, processing t in 1, dispatch t/1/0#1 | 25 60 15
                data v2                      -> -
                done t/1/0#1 results=15      -> settlement 15, release 45, complete t for 15        | 70 0 30
                request u credits=60 in-v1=20 -> quote 60, reservation 60, processing u in 1, dispatch u/1/0#1 | 10 60 30
                done u/1/0#1 results=50      -> settlement 50, release 10, complete u for 50        | 20 0 80
                request v credits=-1 in-v2=0 -> refused
                request w credits=60 in-v2=-1 -> refused
                """);
        assertThat(reader.known("r").status().estimatedCredits()).isEqualTo(20);
        assertThat(reader.known("r").status().receipt().reserved()).isEqualTo(20);
        assertThat(reader.known("u").status().estimatedCredits()).isEqualTo(60);
        assertThat(reader.known("u").status().receipt().reserved()).isEqualTo(60);
    }

    /** The version may be published before or after the report is decided. */
    @Test
    void aReportWhoseVersionChangesCountsInFull() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 50                   -> grant 50
                data v1                      -> -
                request r credits=60 in-v1=20 -> reservation 20, processing r in 1, dispatch r/1/0#1 | 30 20 0
                data v2                      -> -
                done r/1/0#1 results=30      -> settlement 20, complete r for 20                    | 30 0 20
                request s credits=60 in-v1=20 -> quote 60, insufficient_credits s                   | 30 0 20
                data v1                      -> -
                retry s 2                    -> quote 20, reservation 20, processing s in 1, dispatch s/2/0#1 | 10 20 20
                cancel s                     -> release 20, cancelled s                             | 30 0 20
                data v2                      -> -
                retry s 3                    -> quote 60, insufficient_credits s                    | 30 0 20
                grant b 50                   -> grant 50
                retry s 4                    -> reservation 60, processing s in 1, dispatch s/4/0#1 | 20 60 20
                done s/4/0#1 results=55      -> settlement 55, release 5, complete s for 55         | 25 0 75
                """);
        assertThat(reader.known("s").status().estimatedCredits()).isEqualTo(60);
    }

    /** The client was promised the price; only if the version is gone, all its entities count. */
    @Test
    void aReportReadsTheVersionOfItsQuote() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 200                  -> grant 200
                data v2                      -> -
                request r credits=60 quoted-v1=20 -> reservation 20, processing r in 1, dispatch r/1/0#1    | 180 20 0
                done r/1/0#1 results=15      -> settlement 15, release 5, complete r for 15                 | 185 0 15
                request s credits=60 quoted-v2=20 -> reservation 20, processing s in 1, dispatch s/1/0#1    | 165 20 15
                cancel s                     -> release 20, cancelled s                                     | 185 0 15
                data v3                      -> -
                retry s 2                    -> reservation 20, processing s in 1, dispatch s/2/0#1         | 165 20 15
                cancel s                     -> release 20, cancelled s                                     | 185 0 15
                delete v2                    -> -
                retry s 3                    -> quote 60, reservation 60, processing s in 1, dispatch s/3/0#1 | 125 60 15
                request t credits=60 quoted-v9=60 -> reservation 60, processing t in 1, dispatch t/1/0#1    | 65 120 15
                request u credits=100 quoted-v1=80 -> insufficient_credits u                                | 65 120 15
                """);
        assertThat(reader.known("r").status().dataVersion()).isEqualTo("v1");
        assertThat(reader.known("s").status().dataVersion()).isEqualTo("v3");
        assertThat(reader.known("t").status().dataVersion()).isEqualTo("v3");
    }

    @Test
    void aReportNeverReservesMoreThanItsClientAllows() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                data v1                      -> -
                request r credits=60 max=20 in-v1=20 -> reservation 20, processing r in 1, dispatch r/1/0#1 | 80 20 0
                done r/1/0#1 results=20      -> settlement 20, complete r for 20                    | 80 0 20
                data v2                      -> -
                request s credits=60 max=20 in-v1=20 -> quote 60, insufficient_credits s            | 80 0 20
                request t credits=60 max=60  -> reservation 60, processing t in 1, dispatch t/1/0#1 | 20 60 20
                """);
        assertThat(Objects.requireNonNull(reader.known("s").status().error()).message())
                .isEqualTo("the report needs 60 credits, above its max_credits of 20; its names were looked up in other"
                        + " data, so all of them count");
    }

    @Test
    void aSliceThatDoesHarmEndsItsReportAtOnceAndForGood() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                request r credits=10         -> reservation 10, processing r in 1, dispatch r/1/0#1 | 90 10 0
                hopeless r/1/0#1 render_failed -> release 10, render_failed r for good | 100 0 0
                retry r 2                    -> -                                      | 100 0 0
                """);
    }

    /** Of each attempt, also when it has failed; one that could not begin has none. */
    @Test
    void aStatusSaysWhichDataItsAttemptReads() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                data v1                      -> -
                request r credits=10         -> reservation 10, processing r in 1, dispatch r/1/0#1
                request s credits=10         -> reservation 10, processing s in 1, dispatch s/1/0#1
                data v2                      -> -
                done r/1/0#1 results=5       -> settlement 5, release 5, complete r for 5
                cancel s                     -> release 10, cancelled s
                request t credits=10         -> reservation 10, processing t in 1, dispatch t/1/0#1
                cancel t                     -> release 10, cancelled t
                data v3                      -> -
                retry t 2                    -> reservation 10, processing t in 1, dispatch t/2/0#1
                """);
        ReportStatus complete = reader.known("r").status();
        assertThat(complete.dataVersion()).isEqualTo("v1");
        assertThat(complete.dataPublishedAt()).isEqualTo(MemoryAccountReader.PUBLISHED);
        assertThat(complete.renderForm()).isEqualTo(ReportStatus.RENDER_FORM);
        assertThat(reader.known("s").status().dataVersion()).isEqualTo("v1");
        assertThat(reader.known("t").status().dataVersion()).isEqualTo("v3");

        ReportStatus refused = LedgerTable.play("""
                data v1                      -> -
                grant a 10                   -> grant 10
                request r credits=10         -> reservation 10, processing r in 1, dispatch r/1/0#1
                cancel r                     -> release 10, cancelled r
                data none                    -> -
                retry r 2                    -> dataset_unavailable r
                """).known("r").status();
        assertThat(refused.dataVersion()).isNull();
        assertThat(refused.dataPublishedAt()).isNull();
        assertThat(refused.renderForm()).isNull();
    }

    @Test
    void withoutDataNothingIsReserved() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                data none                    -> -
                request r credits=10         -> dataset_unavailable r                  | 100 0 0
                data v2                      -> -
                retry r 2                    -> reservation 10, processing r in 1, dispatch r/2/0#1 | 90 10 0
                """);
    }

    @Test
    void anIdempotencyKeyBelongsToItsFirstRequest() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                request r key=k/one          -> reservation 10, processing r in 1, dispatch r/1/0#1 | 90 10 0
                request r key=k/one          -> -                                      | 90 10 0
                request s key=k/two          -> idempotency_conflict s for good        | 90 10 0
                retry s 2                    -> -                                      | 90 10 0
                request t key=other/two      -> reservation 10, processing t in 1, dispatch t/1/0#1 | 80 20 0
                """);
    }

    @Test
    void aFailedReportCanBeRetriedThreeTimes() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                retry r 2                    -> -
                request r credits=10         -> reservation 10, processing r in 1, dispatch r/1/0#1 | 90 10 0
                retry r 2                    -> -                                      | 90 10 0
                cancel r                     -> release 10, cancelled r                | 100 0 0
                cancel r                     -> -
                retry r 1                    -> -
                retry r 3                    -> -
                retry r 2                    -> reservation 10, processing r in 1, dispatch r/2/0#1 | 90 10 0
                retry r 2                    -> -
                done r/1/0#1                 -> delete r/1/0-1                         | 90 10 0
                failed r/1/0#1 render_failed -> -                                      | 90 10 0
                cancel r                     -> release 10, cancelled r
                retry r 3                    -> reservation 10, processing r in 1, dispatch r/3/0#1
                cancel r                     -> release 10, cancelled r
                retry r 4                    -> reservation 10, processing r in 1, dispatch r/4/0#1
                cancel r                     -> release 10, cancelled r for good       | 100 0 0
                retry r 5                    -> -
                """);
        assertThat(reader.known("r").status().sequence()).isEqualTo(8);
        assertThat(reader.known("r").status().receipt().reserved()).isEqualTo(40);
        assertThat(reader.known("r").status().receipt().released()).isEqualTo(40);
    }

    @Test
    void aRetryThatCannotBeReservedIsAnAttempt() {
        LedgerTable.play("""
                grant a 10                   -> grant 10
                request r credits=20         -> insufficient_credits r                 | 10 0 0
                retry r 2                    -> insufficient_credits r                 | 10 0 0
                retry r 2                    -> -
                grant b 10                   -> grant 10
                retry r 3                    -> reservation 20, processing r in 1, dispatch r/3/0#1 | 0 20 0
                done r/3/0#1 results=20      -> settlement 20, complete r for 20       | 0 0 20
                retry r 4                    -> -                                      | 0 0 20
                cancel r                     -> -                                      | 0 0 20
                """);
    }

    @Test
    void aLargeReportIsRenderedInSlicesAndPutTogether() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                request r entities=7         -> reservation 10, processing r in 4, dispatch r/1/0#1, dispatch r/1/1#1 | 90 10 0
                done r/1/1#1 results=2       -> rendering r 0.25, dispatch r/1/2#1
                done r/1/1#1 results=2       -> -
                done r/1/3#1 results=2       -> -
                done r/1/2#1 results=1       -> rendering r 0.5, dispatch r/1/3#1
                done r/1/0#1 results=0       -> rendering r 0.75
                done r/1/3#1 results=1       -> assembling r 1.0, dispatch r/1/a#1
                done r/1/a#1                 -> -
                assembled r/1/a#1            -> settlement 4, release 6, complete r for 4, delete r/1/0-1 r/1/1-1 r/1/2-1 r/1/3-1 | 96 0 4
                assembled r/1/a#1            -> -
                """);
        assertThat(reader.answers).isEmpty();
        assertThat(reader.tickets).isEmpty();
    }

    /** The slices of a part are put together as soon as they are there; the parts never are. */
    @Test
    void aReportInPartsIsPutTogetherPartByPart() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                request r credits=40 rows=40 entities=8 parts=2 -> reservation 40, processing r in 4, dispatch r/1/0#1, dispatch r/1/1#1 | 60 40 0
                done r/1/0#1 results=10      -> rendering r 0.25, dispatch r/1/2#1
                done r/1/1#1 results=9       -> dispatch r/1/p0#1, rendering r 0.5
                running r/1/p0#1             -> renewed r/-2
                done r/1/1#2 results=9       -> delete r/1/1-2
                assembled r/1/a#1            -> -
                assembled r/1/p0#1           -> joined r/p0 of 19, delete r/1/0-1 r/1/1-1, dispatch r/1/3#1
                assembled r/1/p0#1           -> -
                assembled r/1/p0#2           -> delete r/1/-2-2
                done r/1/2#1 results=8       -> rendering r 0.75
                failed r/1/3#1 render_failed -> dispatch r/1/3#2
                done r/1/3#2 results=7       -> dispatch r/1/p1#1, rendering r 1.0
                assembled r/1/p1#1           -> joined r/p1 of 15, delete r/1/2-1 r/1/3-2, assembling r 1.0, dispatch r/1/a#1
                done r/1/3#2 results=7       -> delete r/1/3-2
                failed r/1/a#1 render_failed -> dispatch r/1/a#2
                assembled r/1/a#2            -> settlement 34, release 6, complete r for 34 in files of 19 and 15 | 66 0 34
                assembled r/1/a#2            -> -
                assembled r/1/p1#1           -> -
                assembled r/1/a#1            -> -
                """);
        assertThat(reader.answers).isEmpty();
        assertThat(reader.tickets).isEmpty();
        ReportStatus status = reader.known("r").status();
        assertThat(Objects.requireNonNull(status.result()).file().name()).endsWith("/1/-1-2");
    }

    @Test
    void aPartOfOneSliceIsThatSlice() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                request r rows=10 entities=2 parts=2 -> reservation 10, processing r in 2, dispatch r/1/0#1, dispatch r/1/1#1
                done r/1/1#1 results=0       -> rendering r 0.5
                done r/1/0#1 results=3       -> assembling r 1.0, dispatch r/1/a#1
                assembled r/1/a#1            -> settlement 3, release 7, complete r for 3 in files of 3 and 0
                """);
    }

    /** Slices are as many in all as without parts, and at least one for each part. */
    @Test
    void slicesOfPartsFollowFromRowsEntitiesAndParts() {
        LedgerTable.play("""
                grant a 1000                 -> grant 1000
                request a rows=10 entities=9 parts=9 -> reservation 10, processing a in 9, dispatch a/1/0#1, dispatch a/1/1#1
                cancel a                     -> release 10, cancelled a, delete a/1/
                request b rows=999 entities=99 parts=3 -> reservation 10, processing b in 6, dispatch b/1/0#1, dispatch b/1/1#1
                cancel b                     -> release 10, cancelled b, delete b/1/
                request c rows=30 entities=2 parts=5 -> reservation 10, processing c in 2, dispatch c/1/0#1, dispatch c/1/1#1
                cancel c                     -> release 10, cancelled c, delete c/1/
                request d entities=7 parts=1 -> reservation 10, processing d in 4, dispatch d/1/0#1, dispatch d/1/1#1
                cancel d                     -> release 10, cancelled d
                """);
    }

    @Test
    void aReportWhoseLimitIsUsedInItsFirstPartIsOneFile() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                request r rows=10 entities=8 parts=2 limit=5 -> reservation 10, processing r in 4, dispatch r/1/0#1
                done r/1/0#1 results=3       -> rendering r 0.25, dispatch r/1/1#1
                done r/1/1#1 results=2       -> dispatch r/1/p0#1, rendering r 0.5
                assembled r/1/p0#1           -> joined r/p0 of 5, delete r/1/0-1 r/1/1-1, settlement 5, release 5, complete r for 5
                request s rows=10 entities=8 parts=2 limit=5 -> reservation 10, processing s in 4, dispatch s/1/0#1
                done s/1/0#1 results=5       -> settlement 5, release 5, complete s for 5
                request t rows=10 entities=8 parts=2 limit=5 -> reservation 10, processing t in 4, dispatch t/1/0#1
                done t/1/0#1 results=2       -> rendering t 0.25, dispatch t/1/1#1
                done t/1/1#1 results=2       -> dispatch t/1/p0#1, rendering t 0.5, dispatch t/1/2#1
                assembled t/1/p0#1           -> joined t/p0 of 4, delete t/1/0-1 t/1/1-1
                done t/1/2#1 results=1       -> assembling t 1.0, dispatch t/1/a#1
                assembled t/1/a#1            -> settlement 5, release 5, complete t for 5 in files of 4 and 1
                request u rows=10 entities=8 parts=2 limit=5 -> reservation 10, processing u in 4, dispatch u/1/0#1
                done u/1/0#1 results=2       -> rendering u 0.25, dispatch u/1/1#1
                done u/1/1#1 results=2       -> dispatch u/1/p0#1, rendering u 0.5, dispatch u/1/2#1
                done u/1/2#1 results=1       -> rendering u 0.75
                assembled u/1/p0#1           -> joined u/p0 of 4, delete u/1/0-1 u/1/1-1, assembling u 1.0, dispatch u/1/a#1
                assembled u/1/a#1            -> settlement 5, release 5, complete u for 5 in files of 4 and 1
                """);
        assertThat(reader.answers).isEmpty();
    }

    /** A retry writes into a folder of its own, and whatever is in that of the failed attempt goes. */
    @Test
    void theFilesOfAFailedAttemptInPartsGoWithItsFolder() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                request r rows=10 entities=2 parts=2 -> reservation 10, processing r in 2, dispatch r/1/0#1, dispatch r/1/1#1
                done r/1/0#1 results=1       -> rendering r 0.5
                failed r/1/1#1 render_failed -> dispatch r/1/1#2
                failed r/1/1#2 render_failed -> dispatch r/1/1#3
                failed r/1/1#3 render_failed -> release 10, render_failed r, delete r/1/
                done r/1/1#1 results=1       -> delete r/1/1-1
                retry r 2                    -> reservation 10, processing r in 2, dispatch r/2/0#1, dispatch r/2/1#1
                done r/2/0#1 results=1       -> rendering r 0.5
                done r/2/1#1 results=2       -> assembling r 1.0, dispatch r/2/a#1
                assembled r/2/a#1            -> settlement 3, release 7, complete r for 3 in files of 1 and 2 | 97 0 3
                done r/1/1#1 results=1       -> delete r/1/1-1
                done r/2/1#1 results=2       -> -
                erase r                      -> delete r/2/, erased r
                """);
    }

    /** A lost worker of a part, or of the manifest, is one of a slice. */
    @Test
    void whatPutsSlicesTogetherIsHandedOutAgainWhenItsWorkerFallsSilent() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                request r rows=10 entities=4 parts=1 -> reservation 10, processing r in 2, dispatch r/1/0#1, dispatch r/1/1#1
                cancel r                     -> release 10, cancelled r
                request s rows=40 entities=4 parts=2 -> reservation 10, processing s in 4, dispatch s/1/0#1, dispatch s/1/1#1
                done s/1/0#1 results=1       -> rendering s 0.25, dispatch s/1/2#1
                done s/1/1#1 results=1       -> dispatch s/1/p0#1, rendering s 0.5
                running s/1/2#1              -> renewed s/2
                running s/1/p0#1             -> renewed s/-2
                wait PT30S                   -> dispatch s/1/p0#2, dispatch s/1/2#2
                assembled s/1/p0#2           -> joined s/p0 of 2, delete s/1/0-1 s/1/1-1, dispatch s/1/3#1
                """);
    }

    @Test
    void slicesFollowFromRowsAndEntities() {
        LedgerTable.play("""
                grant a 1000                 -> grant 1000
                request a rows=10 entities=2 -> reservation 10, processing a in 1, dispatch a/1/0#1
                request b rows=11 entities=1 -> reservation 10, processing b in 1, dispatch b/1/0#1
                cancel a                     -> release 10, cancelled a
                cancel b                     -> release 10, cancelled b
                request c rows=11 entities=2 -> reservation 10, processing c in 2, dispatch c/1/0#1, dispatch c/1/1#1
                cancel c                     -> release 10, cancelled c
                request d rows=0 entities=3  -> reservation 10, processing d in 2, dispatch d/1/0#1, dispatch d/1/1#1
                cancel d                     -> release 10, cancelled d
                request e rows=9223372036854775807 entities=99 -> reservation 10, processing e in 8, dispatch e/1/0#1, dispatch e/1/1#1
                """);
    }

    @Test
    void aLimitIsUsedUpSliceBySlice() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                request r entities=8 limit=5 -> reservation 10, processing r in 4, dispatch r/1/0#1
                done r/1/0#1 rows=3 results=3 -> rendering r 0.25, dispatch r/1/1#1
                done r/1/1#1 rows=2 results=2 -> assembling r 1.0, dispatch r/1/a#1
                assembled r/1/a#1            -> settlement 5, release 5, complete r for 5, delete r/1/0-1 r/1/1-1
                request s entities=8 limit=5 -> reservation 10, processing s in 4, dispatch s/1/0#1
                done s/1/0#1 rows=5 results=5 -> settlement 5, release 5, complete s for 5           | 90 0 10
                """);
        assertThat(reader.answers).isEmpty();
    }

    /** Only what a slice has said tells the next one how many rows it leaves out; then they run side by side. */
    @Test
    void anOffsetIsUsedUpSliceBySlice() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                request r entities=8 offset=5 -> reservation 10, processing r in 4, dispatch r/1/0#1
                done r/1/0#1 rows=0 results=0 skipped=3 -> rendering r 0.25, dispatch r/1/1#1
                done r/1/1#1 rows=1 results=1 skipped=2 -> rendering r 0.5, dispatch r/1/2#1, dispatch r/1/3#1
                done r/1/3#1 rows=1 results=1 -> rendering r 0.75
                done r/1/2#1 rows=1 results=1 -> assembling r 1.0, dispatch r/1/a#1
                assembled r/1/a#1            -> settlement 3, release 7, complete r for 3, delete r/1/0-1 r/1/1-1 r/1/2-1 r/1/3-1 | 97 0 3
                request s entities=8 offset=5 limit=2 -> reservation 10, processing s in 4, dispatch s/1/0#1
                done s/1/0#1 rows=1 results=1 skipped=5 -> rendering s 0.25, dispatch s/1/1#1
                done s/1/1#1 rows=1 results=1 -> assembling s 1.0, dispatch s/1/a#1
                assembled s/1/a#1            -> settlement 2, release 8, complete s for 2, delete s/1/0-1 s/1/1-1 | 95 0 5
                request t entities=8 offset=500 -> reservation 10, processing t in 8, dispatch t/1/0#1
                """);
        assertThat(reader.answers).isEmpty();
    }

    @Test
    void reportsOfAnAccountTakeTurns() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                request x entities=8         -> reservation 10, processing x in 4, dispatch x/1/0#1, dispatch x/1/1#1
                request y entities=8         -> reservation 10, processing y in 4, dispatch y/1/0#1
                request z entities=8         -> reservation 10, processing z in 4
                done x/1/0#1                 -> rendering x 0.25, dispatch y/1/1#1
                done x/1/1#1                 -> rendering x 0.5, dispatch z/1/0#1
                done y/1/0#1                 -> rendering y 0.25, dispatch x/1/2#1
                done y/1/1#1                 -> rendering y 0.5, dispatch z/1/1#1
                cancel z                     -> release 10, cancelled z, dispatch y/1/2#1, dispatch x/1/3#1
                cancel x                     -> release 10, cancelled x, delete x/1/0-1 x/1/1-1, dispatch y/1/3#1
                """);
    }

    @Test
    void smallReportsDoNotWaitForLargeOnes() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                request x entities=8         -> reservation 10, processing x in 4, dispatch x/1/0#1, dispatch x/1/1#1
                request y entities=8         -> reservation 10, processing y in 4, dispatch y/1/0#1
                request a                    -> reservation 10, processing a in 1, dispatch a/1/0#1
                request b                    -> reservation 10, processing b in 1, dispatch b/1/0#1
                request c                    -> reservation 10, processing c in 1
                request d                    -> reservation 10, processing d in 1
                cancel c                     -> release 10, cancelled c
                done a/1/0#1                 -> settlement 1, release 9, complete a for 1, dispatch d/1/0#1
                """);
    }

    @Test
    void aSliceIsHandedOutThreeTimesAtMost() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                request r                    -> reservation 10, processing r in 1, dispatch r/1/0#1
                failed r/1/0#1 render_failed -> dispatch r/1/0#2
                failed r/1/0#1 render_failed -> -
                failed r/1/0#2 dataset_unavailable -> dispatch r/1/0#3
                failed r/1/0#3 dataset_unavailable -> release 10, dataset_unavailable r | 100 0 0
                request s                    -> reservation 10, processing s in 1, dispatch s/1/0#1
                failed s/1/0#1 cancelled     -> dispatch s/1/0#2
                failed s/1/0#2 cancelled     -> dispatch s/1/0#3
                done s/1/0#1                 -> settlement 1, release 9, complete s for 1
                failed s/1/0#3 render_failed -> -
                request t entities=3         -> reservation 10, processing t in 2, dispatch t/1/0#1, dispatch t/1/1#1
                done t/1/0#1                 -> rendering t 0.5
                done t/1/1#1                 -> assembling t 1.0, dispatch t/1/a#1
                failed t/1/a#1 render_failed -> dispatch t/1/a#2
                failed t/1/a#2 render_failed -> dispatch t/1/a#3
                failed t/1/a#3 render_failed -> release 10, render_failed t, delete t/1/0-1 t/1/1-1 | 99 0 1
                """);
    }

    @Test
    void aSliceWhoseWorkerFallsSilentIsHandedOutAgain() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                request r                    -> reservation 10, processing r in 1, dispatch r/1/0#1
                wait PT23H                   -> -
                running r/1/0#1              -> renewed r/0, rendering r 0.0
                wait PT29S                   -> -
                running r/1/0#1              -> renewed r/0
                wait PT29S                   -> -
                wait PT1S                    -> dispatch r/1/0#2
                wait PT23H59M59S             -> -
                wait PT1S                    -> dispatch r/1/0#3
                running r/1/0#2              -> renewed r/0
                wait PT30S                   -> release 10, render_failed r            | 100 0 0
                running r/1/0#2              -> -
                """);
    }

    /** The first answer counts, and the file of any other is nobody's. */
    @Test
    void filesOfAnswersThatComeTooLateAreDeleted() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                request r entities=3         -> reservation 10, processing r in 2, dispatch r/1/0#1, dispatch r/1/1#1
                failed r/1/0#1 render_failed -> dispatch r/1/0#2
                done r/1/0#1                 -> rendering r 0.5
                done r/1/0#2                 -> delete r/1/0-2
                done r/1/0#1                 -> -
                done r/1/1#1                 -> assembling r 1.0, dispatch r/1/a#1
                failed r/1/a#1 render_failed -> dispatch r/1/a#2
                assembled r/1/a#1            -> settlement 2, release 8, complete r for 2, delete r/1/0-1 r/1/1-1
                assembled r/1/a#2            -> delete r/1/-1-2
                assembled r/1/a#1            -> -
                done r/1/1#1                 -> delete r/1/1-1
                request s entities=3         -> reservation 10, processing s in 2, dispatch s/1/0#1, dispatch s/1/1#1
                done s/1/0#1                 -> rendering s 0.5
                cancel s                     -> release 10, cancelled s, delete s/1/0-1
                done s/1/1#1                 -> delete s/1/1-1
                """);
    }

    @Test
    void anAnswerOfNonsenseChangesNothing() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                request r entities=3         -> reservation 10, processing r in 2, dispatch r/1/0#1, dispatch r/1/1#1
                done r/1/0#1 results=9223372036854775807 -> rendering r 0.5
                done r/1/1#1 results=1       -> throws                                 | 90 10 0
                done r/1/7#1                 -> -
                done x/1/0#1                 -> -
                assembled r/1/0#1            -> -
                assembled r/1/a#1            -> -
                running r/2/0#1              -> -
                """);
    }

    /** Whatever comes late about a report that has ended is answered as it was then. */
    @Test
    void aReportThatHasEndedIsKnownAgain() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                request r key=k/one          -> reservation 10, processing r in 1, dispatch r/1/0#1
                done r/1/0#1                 -> settlement 1, release 9, complete r for 1      | 99 0 1
                request r key=k/one          -> -                                      | 99 0 1
                request s key=k/two          -> idempotency_conflict s for good        | 99 0 1
                request s key=k/two          -> -                                      | 99 0 1
                request r                    -> -                                      | 99 0 1
                retry r 2                    -> -
                cancel r                     -> -
                running r/1/0#1              -> -
                failed r/1/0#1 render_failed -> -
                done r/1/0#1                 -> -
                done r/1/0#2                 -> delete r/1/0-2
                assembled r/1/a#1            -> delete r/1/-1-1
                done s/1/0#1                 -> delete s/1/0-1
                done r/2/0#1                 -> -
                request t key=other/one      -> reservation 10, processing t in 1, dispatch t/1/0#1
                failed t/1/0#1 render_failed -> dispatch t/1/0#2
                hopeless t/1/0#2 render_failed -> release 10, render_failed t for good | 99 0 1
                request u key=other/two      -> idempotency_conflict u for good        | 99 0 1
                """);
        assertThat(reader.reports).isEmpty();
        assertThat(reader.requests).isEmpty();
        assertThat(reader.claims).isEmpty();
        assertThat(reader.ended).hasSize(4);
    }

    /** Only as long as it can be retried. */
    @Test
    void aReportThatCanBeRetriedIsKeptWhole() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                request r key=k/one          -> reservation 10, processing r in 1, dispatch r/1/0#1
                cancel r                     -> release 10, cancelled r                | 100 0 0
                request r key=k/one          -> -
                request s key=k/two          -> idempotency_conflict s for good
                """);
        assertThat(reader.reports).containsOnlyKeys(LedgerSamples.id("r"));
        assertThat(reader.requests).containsOnlyKeys(LedgerSamples.id("r"));
        assertThat(reader.claims).hasSize(1);
    }

    /** Its id and its Idempotency-Key come back no sooner than if it had stayed, and its charge stays. */
    @Test
    void aReportThatIsErasedLeavesThatItWasThere() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                request r key=k/one          -> reservation 10, processing r in 1, dispatch r/1/0#1
                erase r                      -> -                                      | 90 10 0
                done r/1/0#1                 -> settlement 1, release 9, complete r for 1
                erase r                      -> delete r/1/0-1, erased r               | 99 0 1
                erase r                      -> erased r                               | 99 0 1
                erase x                      -> -
                request r key=k/one          -> -                                      | 99 0 1
                request s key=k/two          -> idempotency_conflict s for good        | 99 0 1
                done r/1/0#2                 -> delete r/1/0-2
                retry r 2                    -> -
                cancel r                     -> -
                erase s                      -> erased s
                wait PT9599H                 -> opening 99
                wait PT1H                    -> forgotten r, forgotten s
                request s key=k/two          -> reservation 10, processing s in 1, dispatch s/1/0#1
                """);
        assertThat(reader.ended).isEmpty();
    }

    /** Nobody retries what is erased. */
    @Test
    void aReportThatCanBeRetriedIsErasedWhole() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                request r key=k/one          -> reservation 10, processing r in 1, dispatch r/1/0#1
                cancel r                     -> release 10, cancelled r                | 100 0 0
                retry r 2                    -> reservation 10, processing r in 1, dispatch r/2/0#1
                erase r                      -> -
                cancel r                     -> release 10, cancelled r
                erase r                      -> erased r
                retry r 3                    -> -
                erase r                      -> erased r
                request s key=k/two          -> idempotency_conflict s for good        | 100 0 0
                """);
        assertThat(reader.reports).isEmpty();
        assertThat(reader.requests).isEmpty();
        assertThat(reader.claims).isEmpty();
        assertThat(reader.ended).containsOnlyKeys(LedgerSamples.id("r"), LedgerSamples.id("s"));
    }

    @Test
    void reportsAreForgottenAndAccountsSayWhereTheyStand() {
        MemoryAccountReader reader = LedgerTable.play("""
                grant a 100                  -> grant 100
                request r key=k/one          -> reservation 10, processing r in 1, dispatch r/1/0#1
                done r/1/0#1                 -> settlement 1, release 9, complete r for 1
                wait PT695H                  -> -
                wait PT1H                    -> opening 99                             | 99 0 1
                wait PT9000H                 -> opening 99, forgotten r                | 99 0 1
                retry r 2                    -> -
                request s key=k/two          -> reservation 10, processing s in 1, dispatch s/1/0#1
                """);
        assertThat(reader.reports).containsOnlyKeys(LedgerSamples.id("s"));
        assertThat(reader.requests).containsOnlyKeys(LedgerSamples.id("s"));
        assertThat(reader.ended).isEmpty();
        assertThat(reader.account.ledgerSequence()).isEqualTo(7);
    }

    /** Files are kept for 30 days, reports for 400 where their account has no time of its own. */
    @Test
    void reportsAreKnownForAsLongAsTheirAccountSaysAndTheirFileIsThere() {
        LedgerTable.play("""
                grant a 100                  -> grant 100
                request m credits=10 history=90 -> reservation 10, processing m in 1, dispatch m/1/0#1
                done m/1/0#1                 -> settlement 1, release 9, complete m for 1
                request n credits=10 history=5  -> reservation 10, processing n in 1, dispatch n/1/0#1
                done n/1/0#1                 -> settlement 1, release 9, complete n for 1
                request o credits=900 history=5 -> insufficient_credits o
                request p credits=10 history=500 -> reservation 10, processing p in 1, dispatch p/1/0#1
                done p/1/0#1                 -> settlement 1, release 9, complete p for 1
                request q credits=10         -> reservation 10, processing q in 1, dispatch q/1/0#1
                done q/1/0#1                 -> settlement 1, release 9, complete q for 1
                wait PT119H                  -> -
                wait PT1H                    -> forgotten o
                wait PT600H                  -> opening 96, delete n/1/0-1, forgotten n
                wait PT1439H                 -> opening 96
                wait PT1H                    -> forgotten m
                wait PT7439H                 -> opening 96
                wait PT1H                    -> forgotten q
                wait PT2399H                 -> opening 96
                wait PT1H                    -> forgotten p
                """);
    }
}
