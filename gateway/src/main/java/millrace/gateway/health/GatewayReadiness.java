package millrace.gateway.health;

import jakarta.inject.Singleton;
import millrace.gateway.accounts.AccountsFileImport;
import millrace.runtime.kafka.KafkaAvailability;
import millrace.runtime.management.DiskSpaceMonitor;
import millrace.runtime.service.CatalogAgreement;

/** Decides from memory whether this gateway can serve. */
@Singleton
public final class GatewayReadiness {
    private final KafkaAvailability kafka;
    private final TopicReaders readers;
    private final AccountsFileImport fileImport;
    private final DiskSpaceMonitor disk;
    private final CatalogAgreement catalogs;
    private volatile boolean leaving;

    GatewayReadiness(
            KafkaAvailability kafka,
            TopicReaders readers,
            AccountsFileImport fileImport,
            DiskSpaceMonitor disk,
            CatalogAgreement catalogs) {
        this.catalogs = catalogs;
        this.kafka = kafka;
        this.readers = readers;
        this.fileImport = fileImport;
        this.disk = disk;
    }

    boolean kafkaAvailable() {
        return kafka.isAvailable();
    }

    /** Whether there is disk space for the files of new reports. */
    boolean diskSpaceAvailable() {
        return disk.hasRoomForReports();
    }

    /** Whether this gateway declares what other gateways accept. */
    boolean catalogAgrees() {
        return catalogs.agrees();
    }

    /**
     * Whether requests can be served: Kafka answers, reports and accounts have been read and are up
     * to date, opening credits have been granted, so that no first request is refused for lack of
     * them, there is disk space, and no other gateway has another catalog.
     */
    public boolean ready() {
        return !leaving
                && readers.current()
                && kafkaAvailable()
                && fileImport.granted()
                && diskSpaceAvailable()
                && catalogAgrees();
    }

    /** From now on the gateway is not ready. */
    void leave() {
        leaving = true;
    }
}
