package millrace.contracts.topics;

import java.time.Duration;
import java.util.List;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.accounts.KeyUse;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.FileDeletion;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.operation.PassedRequests;
import millrace.contracts.operation.ProcessState;
import millrace.contracts.operation.VersionSwitch;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.topics.Topic.Audience;
import millrace.contracts.topics.Topic.Keep;

/**
 * All topics. Every topic has the same number of partitions, so that equal keys of two topics meet
 * in one partition. What is stored that names a partition or an offset, {@code millrace-admin repartition} has to
 * translate.
 */
public final class Topics {
    /** Topics with a key for each report. */
    private static final Keep NEWEST_OF_MANY = new Keep.Newest(Topic.TOMBSTONES_KEPT, Topic.SEGMENT_BYTES);
    /** Topics with a key for each account, endpoint, API key or dataset. */
    private static final Keep NEWEST = new Keep.Newest(Topic.TOMBSTONES_KEPT, Topic.SMALL_SEGMENT_BYTES);
    /**
     * Topics whose keys come and go quickly. They are read from their beginning each time, so that no reader misses
     * a tombstone, and each tombstone that stays is read in vain.
     */
    private static final Keep NEWEST_FOR_NOW = new Keep.Newest(Duration.ofDays(1), Topic.SMALL_SEGMENT_BYTES);

    /** Key: account id. The ledger's input. */
    public static final Topic<AccountCommand> ACCOUNT_COMMANDS =
            internal("internal.account-commands", AccountCommand.class, days(30));
    /** Key: account id. The bytes of commands that could not be read or decided. */
    public static final Topic<byte[]> COMMAND_DEAD_LETTERS =
            internal("internal.command-dead-letters", byte[].class, days(30));
    /** Key: account id. */
    public static final Topic<AccountState> ACCOUNT_STATE =
            internal("internal.account-state", AccountState.class, NEWEST);
    /** Key: {@link #reportKey}. The request of each report, until the report is forgotten. */
    public static final Topic<AccountCommand.RequestReport> REPORT_REQUESTS =
            internal("internal.report-requests", AccountCommand.RequestReport.class, NEWEST_OF_MANY);
    /** Key: {@link RenderTask#key()}. Slices of reports that have several. */
    public static final Topic<RenderTask> SLICES = internal("internal.slices", RenderTask.class, days(30));
    /**
     * Key: {@link RenderTask#key()}. Reports of one slice, so that they never wait behind large
     * ones.
     */
    public static final Topic<RenderTask> SMALL_REPORTS =
            internal("internal.small-reports", RenderTask.class, days(30));
    /**
     * Key: account id, as of the commands from which they follow, so that a transaction of the ledger has one more
     * partition and not many. What could not be deleted for so long is found in the report store itself.
     */
    public static final Topic<FileDeletion> FILE_DELETIONS =
            internal("internal.file-deletions", FileDeletion.class, days(7));
    /** Key: {@link WebhookEndpoint#key()}. */
    public static final Topic<DeliveryCommand> DELIVERIES =
            internal("internal.deliveries", DeliveryCommand.class, days(30));
    /**
     * Key: {@link DeliveryState#key()}, written to the partition of the delivery. Events that wait
     * for an attempt, offsets from which on events of an endpoint wait in {@link #DELIVERIES} only,
     * and URLs that answered 410; tombstones when none is true any more.
     */
    public static final Topic<DeliveryState> DELIVERY_STATE =
            internal("internal.delivery-state", DeliveryState.class, NEWEST_FOR_NOW);
    /**
     * Key: {@link WebhookEndpoint#key()}. The state of each endpoint; a tombstone when there is
     * none any more.
     */
    public static final Topic<EndpointState> ENDPOINT_STATE =
            internal("internal.endpoint-state", EndpointState.class, NEWEST);

    /** Key: account id. The newest state of each account. Written by gateways, one at a time. */
    public static final Topic<AccountRecord> ACCOUNTS = internal("internal.accounts", AccountRecord.class, NEWEST);

    /** Key: {@link KeyUse#keyId}. When each key was last used; a tombstone when no account has the key any more. */
    public static final Topic<KeyUse> KEY_USES = internal("internal.key-uses", KeyUse.class, NEWEST);

    /** Key: {@link PassedRequests#gatewayId}. What each gateway has let through, for the others that run then. */
    public static final Topic<PassedRequests> PASSED_REQUESTS =
            internal("internal.passed-requests", PassedRequests.class, new Keep.All(Duration.ofHours(1)));

    /** Key: name of the dataset. Written by processors when the data change. */
    public static final Topic<DatasetExample> DATASET_EXAMPLES =
            internal("internal.dataset-examples", DatasetExample.class, NEWEST);

    /** Key: {@link ProcessState#key()}. How each process is, every few seconds; a tombstone when it ends. */
    public static final Topic<ProcessState> PROCESS_STATES =
            internal("internal.process-states", ProcessState.class, days(1));
    /** Key: name of the dataset. Written by gateways, for the processors that run then. */
    public static final Topic<VersionSwitch> VERSION_SWITCHES =
            internal("internal.version-switches", VersionSwitch.class, days(1));
    /**
     * Key: account id and month, {@code acme/2026-10}, or the id of a key. Signed statements, of which the first one of
     * a key counts: compaction would keep the last. And the public keys that sign, as JSON Web Keys. For ever.
     */
    public static final Topic<byte[]> CREDIT_STATEMENTS =
            internal("internal.credit-statements", byte[].class, days(36_500));

    /** Key: report id. Every status change of every report. */
    public static final Topic<ReportEvent> REPORT_EVENTS = open("report-events", ReportEvent.class, days(30));
    /** Key: {@link #reportKey}. The newest status of each report, with a {@link RequestRecord} as header. */
    public static final Topic<ReportStatus> REPORT_STATUS = open("report-status", ReportStatus.class, NEWEST_OF_MANY);
    /** Key: account id. */
    public static final Topic<LedgerEntry> CREDIT_LEDGER = open("credit-ledger", LedgerEntry.class, days(400));
    /** Key: account id. Every change to an account. */
    public static final Topic<AccountAudit> ACCOUNT_AUDIT = open("account-audit", AccountAudit.class, days(400));
    /** Key: {@link WebhookEndpoint#key()}. */
    public static final Topic<WebhookAttempt> WEBHOOK_ATTEMPTS =
            open("webhook-attempts", WebhookAttempt.class, days(30));
    /** Key: {@link WebhookEndpoint#key()}. */
    public static final Topic<WebhookDeadLetter> WEBHOOK_DEAD_LETTERS =
            open("webhook-dead-letters", WebhookDeadLetter.class, days(30));
    /** Key: name of the dataset. Each version that reports have read. */
    public static final Topic<DataVersionAvailable> DATASET_VERSIONS =
            open("dataset-versions", DataVersionAvailable.class, days(400));

    /**
     * The changelog of the ledger's store, which Kafka Streams creates. Key: see the ledger's {@code StoreKeys}. A record is in
     * the partition of the commands that it follows from.
     */
    public static final String LEDGER_CHANGELOG = ConsumerGroups.PROCESSOR + "-ledger-changelog";

    /**
     * What {@code millrace-admin repartition} has done, with one partition. It exists only where that was used, and no
     * service creates it.
     */
    public static final String REPARTITION = "internal.repartition";

    public static final List<Topic<?>> ALL = List.of(
            ACCOUNT_COMMANDS,
            COMMAND_DEAD_LETTERS,
            ACCOUNT_STATE,
            REPORT_REQUESTS,
            SLICES,
            SMALL_REPORTS,
            FILE_DELETIONS,
            DELIVERIES,
            DELIVERY_STATE,
            ENDPOINT_STATE,
            ACCOUNTS,
            KEY_USES,
            PASSED_REQUESTS,
            DATASET_EXAMPLES,
            PROCESS_STATES,
            VERSION_SWITCHES,
            CREDIT_STATEMENTS,
            REPORT_EVENTS,
            REPORT_STATUS,
            CREDIT_LEDGER,
            ACCOUNT_AUDIT,
            WEBHOOK_ATTEMPTS,
            WEBHOOK_DEAD_LETTERS,
            DATASET_VERSIONS);

    private Topics() {}

    /** {@code {account}/{report}}. */
    public static String reportKey(String accountId, java.util.UUID reportId) {
        return accountId + "/" + reportId;
    }

    private static <V> Topic<V> internal(String name, Class<V> type, Keep keep) {
        return new Topic<>(name, type, keep, Audience.INTERNAL);
    }

    private static <V> Topic<V> open(String name, Class<V> type, Keep keep) {
        return new Topic<>(name, type, keep, Audience.PUBLIC);
    }

    private static Keep days(int days) {
        return new Keep.All(Duration.ofDays(days));
    }
}
