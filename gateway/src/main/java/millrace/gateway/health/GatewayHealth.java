package millrace.gateway.health;

import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import millrace.contracts.operation.ProcessState;
import millrace.gateway.accounts.AccountsFileImport;
import millrace.gateway.copy.reports.ModelReader;
import millrace.runtime.accounts.AccountsReader;
import millrace.runtime.kafka.KafkaAvailability;
import millrace.runtime.management.DiskSpaceMonitor;
import millrace.runtime.management.Health;
import millrace.runtime.service.CatalogAgreement;

/** Decides from memory whether this gateway can serve, for the management port and for the public one. */
@Singleton
public final class GatewayHealth implements Health {
    private final KafkaAvailability kafka;
    private final ModelReader model;
    private final AccountsReader accounts;
    private final AccountsFileImport fileImport;
    private final DiskSpaceMonitor disk;
    private final CatalogAgreement catalogs;
    private volatile boolean leaving;

    GatewayHealth(
            KafkaAvailability kafka,
            ModelReader model,
            AccountsReader accounts,
            AccountsFileImport fileImport,
            DiskSpaceMonitor disk,
            CatalogAgreement catalogs) {
        this.kafka = kafka;
        this.model = model;
        this.accounts = accounts;
        this.fileImport = fileImport;
        this.disk = disk;
        this.catalogs = catalogs;
    }

    @Override
    public boolean alive() {
        return true;
    }

    @Override
    public Integer stateForm() {
        return ProcessState.FORM_OF_PARTS;
    }

    /**
     * Whether Kafka answers; whether reports and accounts have been read and keep up, since a gateway that falls behind
     * would accept keys that another gateway has revoked; whether there is disk space for the files of new reports; and
     * whether this gateway declares what other gateways accept.
     */
    @Override
    public SequencedMap<String, Boolean> checks() {
        var checks = new LinkedHashMap<String, Boolean>();
        checks.put("kafka", kafka.isAvailable());
        checks.put("read_model", model.current());
        checks.put("accounts", accounts.current());
        checks.put("disk", disk.hasRoomForReports());
        checks.put("catalog", catalogs.agrees());
        return checks;
    }

    /** True only once opening credits have been granted, so that no first request is refused for lack of them. */
    @Override
    public boolean ready() {
        return !leaving && fileImport.granted() && Health.super.ready();
    }

    @Override
    public void leave() {
        leaving = true;
    }
}
