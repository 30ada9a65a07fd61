package millrace.gateway.copy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.RequestRecord;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.runtime.service.CatalogAgreement;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records as a gateway reads them at its start, and a report that was forgotten just before. */
class ReadModelUpdaterTest {
    private static final String KEY = Topics.reportKey(SampleRecords.ACCOUNT, SampleRecords.id(0));

    private final ModelOnDisk disk = new ModelOnDisk();
    private final ReadModel model = disk.model();
    private final ReadModelUpdater folding = new ReadModelUpdater(
            model,
            new AlreadyFoldedCommands(),
            new CatalogAgreement(query -> Optional.empty(), InstantSource.system()));

    private final ConsumerRecord<String, byte[]> status = record(Topics.REPORT_STATUS, SampleRecords.complete(0, 1, 2));
    private final ConsumerRecord<String, byte[]> statusOfRequest =
            record(Topics.REPORT_STATUS, SampleRecords.complete(0, 1, 2));
    private final ConsumerRecord<String, byte[]> statusGone = record(Topics.REPORT_STATUS, null);
    private final ConsumerRecord<String, byte[]> request =
            record(Topics.REPORT_REQUESTS, SampleRecords.request(0, SampleRecords.key("k")));
    private final ConsumerRecord<String, byte[]> requestGone = record(Topics.REPORT_REQUESTS, null);

    @BeforeEach
    void sayWhatIsInTheRequest() {
        RequestRecord.of(SampleRecords.key("k"), SampleRecords.NOON).addTo(statusOfRequest.headers());
    }

    @AfterEach
    void close() {
        disk.close();
    }

    /** Each topic keeps its own order, and compaction may have taken what a tombstone follows. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "RrSs", "RSrs", "RSsr", "SRrs", "SRsr", "SsRr", "Rr", "Rrs", "sRr", "Ssr", "RrRSsr", "Hs", "HHs",
                "HsRr", "HRsr", "HRrs", "RHsr", "RHrs", "RrHs", "SHRsr", "HrHs"
            })
    void aForgottenReportLeavesNothing(String order) {
        fold(order);
        assertThat(model.size()).isZero();
        assertThat(model.open()).isZero();
        assertThat(model.report(SampleRecords.ACCOUNT, SampleRecords.id(0))).isEmpty();
        assertThat(keyTaken()).isFalse();
    }

    /** The id follows from the key: the same request may come again, and the topics interleave. */
    @ParameterizedTest
    @ValueSource(strings = {"SsSRrR", "SRsSrR", "RrSsRS", "RrRSsS"})
    void aReportThatCameAgainStays(String order) {
        fold(order);
        assertThat(model.report(SampleRecords.ACCOUNT, SampleRecords.id(0))
                        .orElseThrow()
                        .request())
                .contains(new RequestPosition.Settled(0, 7));
        assertThat(keyTaken()).isTrue();
    }

    /** The same where statuses say what is needed of the request, of which a part was written by an earlier build. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "H", "HsH", "HsHRrR", "HRrRsH", "HRsrHR", "RHrsRH", "RrRHsH", "RrHsHR", "HsSRrR", "HRrRsS", "RrRHsS",
                "SsHRrR", "RrRSsH", "SRsrHR", "SRrsH", "SHR"
            })
    void aStatusSaysWhatIsNeededOfTheRequest(String order) {
        fold(order);
        assertThat(model.report(SampleRecords.ACCOUNT, SampleRecords.id(0))
                        .orElseThrow()
                        .request())
                .contains(
                        order.lastIndexOf('H') > order.lastIndexOf('s')
                                ? new RequestPosition.Since(0, SampleRecords.NOON)
                                : new RequestPosition.Settled(0, 7));
        assertThat(keyTaken()).isTrue();
    }

    @Test
    void aTombstoneOfARequestAloneForgetsNoReport() {
        fold("SRr");
        assertThat(model.report(SampleRecords.ACCOUNT, SampleRecords.id(0))).isPresent();
    }

    /** Another gateway's catalog is another one; the request itself counts as ever. */
    @Test
    void saysThatAnotherGatewayAcceptsWhatThisOneDoesNotDeclare() {
        InstantSource clock = () -> Instant.EPOCH;
        var catalogs = new CatalogAgreement(query -> Optional.of("ours"), clock);
        var updater = new ReadModelUpdater(model, new AlreadyFoldedCommands(), catalogs);
        AccountCommand command = SampleRecords.request(0, null);
        ConsumerRecord<String, byte[]> theirs = new ConsumerRecord<>(
                Topics.ACCOUNT_COMMANDS.name(), 0, 7, SampleRecords.ACCOUNT, Topics.ACCOUNT_COMMANDS.encode(command));
        new CatalogAgreement(query -> Optional.of("theirs"), clock)
                .headers(command)
                .forEach(header -> theirs.headers().add(header));
        updater.fold(List.of(theirs), Map.of(), ModelOnDisk.NOW);
        assertThat(catalogs.agrees()).isFalse();
        assertThat(model.report(SampleRecords.ACCOUNT, SampleRecords.id(0))).isPresent();
    }

    private void fold(String order) {
        disk.accountState(new AccountState(SampleRecords.ACCOUNT, 10_000, 0, 0, 10_000, 0, 1));
        order.chars()
                .mapToObj(letter -> switch (letter) {
                    case 'S' -> status;
                    case 'H' -> statusOfRequest;
                    case 's' -> statusGone;
                    case 'R' -> request;
                    default -> requestGone;
                })
                .forEach(record -> folding.fold(List.of(record), Map.of(), ModelOnDisk.NOW));
    }

    private boolean keyTaken() {
        var wanted = new Reservation(SampleRecords.id(1), 1, SampleRecords.CREDITS, SampleRecords.key("k"));
        return model.standing(SampleRecords.ACCOUNT, wanted, List.of()).keyTaken();
    }

    private static <V> ConsumerRecord<String, byte[]> record(Topic<V> topic, @Nullable V value) {
        return new ConsumerRecord<>(topic.name(), 0, 7, KEY, value == null ? null : topic.encode(value));
    }
}
