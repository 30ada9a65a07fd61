package millrace.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import millrace.catalog.Catalog;
import millrace.contracts.commands.AccountCommand;
import millrace.gateway.copy.reports.AlreadyFoldedCommands;
import millrace.gateway.copy.reports.ModelOnDisk;
import millrace.gateway.copy.reports.SampleRecords;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.service.CatalogAgreement;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class CommandLogTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

    /** A request travels with the hash of what it was checked against, so that others can compare. */
    @Test
    void requestsCarryWhatTheyWereCheckedAgainst() {
        Catalog catalog = Catalog.builtIn();
        MockProducer<String, byte[]> sent =
                new MockProducer<>(true, null, new StringSerializer(), new ByteArraySerializer());
        AccountCommand request = SampleRecords.request(0, null);
        try (var disk = new ModelOnDisk()) {
            var log = new CommandLog(
                    sent,
                    disk.model(),
                    new AlreadyFoldedCommands(),
                    new FoldedOffsets(),
                    new CatalogAgreement(catalog::declarationHash, CLOCK));
            log.append(SampleRecords.ACCOUNT, request).join();
            log.append(SampleRecords.ACCOUNT, new AccountCommand.CancelReport(new UUID(0, 1)))
                    .join();
        }

        assertThat(sent.history().getFirst().headers()).hasSize(1);
        assertThat(sent.history().getLast().headers()).isEmpty();
        var same = new CatalogAgreement(catalog::declarationHash, CLOCK);
        same.read(request, sent.history().getFirst().headers());
        assertThat(same.agrees()).isTrue();
        var other = new CatalogAgreement(query -> Optional.empty(), CLOCK);
        other.read(request, sent.history().getFirst().headers());
        assertThat(other.agrees()).isFalse();
    }
}
