package millrace.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.regex.Pattern;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.BatchApiClient.Answer;
import millrace.e2e.process.MillraceProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code ./millrace} with Kafka on a small disk, which the test fills. Needs the permission to mount a disk. */
@Tag("thorough") // starts it twice
class FullDiskIT {
    private static final int MEBIBYTE = 1 << 20;
    private static final int DISK = 96 * MEBIBYTE;
    private static final int LEAST_FREE = 32 * MEBIBYTE;
    private static final String REPORT = "/v3/batch/demographics/request-report";

    @TempDir
    Path data;

    private Path kafka;
    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        DemoDataFolder.create(data);
        kafka = Files.createDirectories(data.resolve("kafka"));
        mounted = run("mount", "-t", "tmpfs", "-o", "size=" + DISK, "none", kafka.toString()) == 0;
        assumeThat(mounted).as("may mount").isTrue();
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            assertThat(run("umount", "-l", kafka.toString())).isZero();
        }
    }

    @Test
    void refusesInTimeAndSaysWhichFolderIsFull() throws Exception {
        String[] arguments = DemoDataFolder.arguments("--disk.min-free-bytes=" + LEAST_FREE, "--management.port=0");
        String report;
        try (var millrace = MillraceProcess.start(data, arguments)) {
            BatchApiClient api = BatchApiClient.of(millrace, millrace.batchKey());
            var management = new BatchApiClient(millrace.management(), "", HttpClient.newHttpClient());
            report = api.submit("demographics", DemoRequests.small(0));
            Answer complete = api.ended(report);

            leaveFree(LEAST_FREE - MEBIBYTE);
            Answer refused =
                    await().until(() -> api.post(REPORT, DemoRequests.small(1)), answer -> answer.code() == 503);
            assertThat(refused.text("detail")).contains("too little room");
            assertThat(refused.response().headers().firstValue("Retry-After")).isPresent();
            assertThat(management.get("/health/ready").code()).isEqualTo(503);
            assertThat(millrace.output()).containsPattern("disk space low.* folder=" + Pattern.quote(kafka + " "));
            assertThat(api.status(report).code()).isEqualTo(200);
            assertThat(api.download(complete)).isNotEmpty();

            leaveFree(DISK);
            await().until(() -> management.get("/health/ready").code() == 200);
            api.ended(api.submit("demographics", DemoRequests.small(2)));

            leaveFree(0);
            assertThat(millrace.exitCode()).isEqualTo(1);
            assertThat(millrace.output().stripTrailing().lines().toList().getLast())
                    .startsWith("fatal: the disk of " + kafka.resolve("log") + " is full");
        }
        leaveFree(DISK);
        try (var millrace = MillraceProcess.start(data, arguments)) {
            BatchApiClient api = BatchApiClient.of(millrace, millrace.batchKey());
            assertThat(api.status(report).text("status")).isEqualTo("complete");
            assertThat(api.ended(api.submit("demographics", DemoRequests.small(3)), Duration.ofSeconds(30))
                            .text("status"))
                    .isEqualTo("complete");
        }
    }

    /** Fills the disk up to this free space with a file, which replaces an earlier one. */
    private void leaveFree(long bytes) throws IOException {
        Path other = kafka.resolve("other");
        Files.deleteIfExists(other);
        byte[] block = new byte[64 << 10];
        try (FileChannel file = FileChannel.open(other, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            while (Files.getFileStore(kafka).getUsableSpace() > bytes) {
                file.write(ByteBuffer.wrap(block));
            }
        } catch (IOException e) {
            assertThat(bytes).as("it is full: %s", e).isZero();
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
