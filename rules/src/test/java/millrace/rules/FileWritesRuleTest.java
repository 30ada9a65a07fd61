package millrace.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A pointer, a mark or a secret is written by {@code ControlFile} alone; whoever else writes files has a reason. */
class FileWritesRuleTest {
    private static final Pattern WRITES = Pattern.compile(
            "\\bFiles\\s*\\.\\s*(?:write|writeString|move|copy|newBufferedWriter|newOutputStream|newByteChannel|createFile"
                    + "|createLink|createTempFile)\\(|\\bStandardOpenOption\\.(?:WRITE|CREATE|CREATE_NEW|APPEND)\\b"
                    + "|\\bnew (?:FileOutputStream|FileWriter|RandomAccessFile)\\(|\\.renameTo\\(");

    /** Why a file, or all of a folder, writes by itself. */
    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("libs/control-files/", "it is the way"),
            Map.entry("bench/", "measurements: nothing is to survive"),
            Map.entry("rules/", "tests and their reports"),
            Map.entry("libs/testing/", "tests"),
            Map.entry("clients/java/", "downloads, which are checked by their checksum"),
            Map.entry("clients/cli/src/main/java/millrace/client/cli/report/PartFile.java", "the same"),
            Map.entry("clients/cli/src/main/java/millrace/client/cli/report/ReportFetch.java", "a device or a pipe"),
            Map.entry(
                    "libs/command-line/src/main/java/millrace/runtime/cli/CliRunner.java", "standard output and error"),
            Map.entry(
                    "libs/files/src/main/java/millrace/files/disk/",
                    "report files: many, and forced where fsync is set"),
            Map.entry("libs/runtime/src/main/java/millrace/runtime/aot/", "a folder of a build, used once"),
            Map.entry(
                    "gateway/src/main/java/millrace/gateway/server/body/BodySpool.java", "a request while it is read"),
            Map.entry(
                    "gateway/src/main/java/millrace/gateway/copy/database/LocalStore.java",
                    "an empty file that is locked"),
            Map.entry(
                    "standalone/src/main/java/millrace/standalone/folder/DataFolder.java",
                    "an empty file that is locked"),
            Map.entry(
                    "processor/src/main/java/millrace/processor/warehouse/duckdb/ImportFolder.java",
                    "an empty file that is locked"),
            Map.entry(
                    "processor/src/main/java/millrace/processor/warehouse/duckdb/WarehouseFolder.java",
                    "moves a version that DuckDB has forced, then forces the folder"),
            Map.entry(
                    "processor/src/main/java/millrace/processor/warehouse/duckdb/EntityIndexBuilder.java",
                    "built again where its checksums do not fit"),
            Map.entry(
                    "processor/src/main/java/millrace/processor/rendering/formats/",
                    "parts of a file while it is made"),
            Map.entry(
                    "processor/src/main/java/millrace/processor/ledger/streams/LocalState.java", "moves damage aside"),
            Map.entry(
                    "standalone/src/main/java/millrace/standalone/demo/DemoDataset.java", "a table while it is made"));

    @Test
    void controlFilesAreWrittenInOnePlace() throws IOException {
        Map<String, Set<String>> found = new TreeMap<>();
        Set<String> unused = new TreeSet<>(REASONS.keySet());
        for (Path file : Sources.main()) {
            String name = Sources.ROOT.relativize(file).toString();
            Set<String> writes = writes(Files.readString(file));
            if (!writes.isEmpty()
                    && !unused.removeIf(name::startsWith)
                    && REASONS.keySet().stream().noneMatch(name::startsWith)) {
                found.put(name, writes);
            }
        }
        assertThat(found)
                .as("files that write; use ControlFile for a pointer, a mark or a secret, or give a reason here")
                .isEmpty();
        assertThat(unused).as("reasons that nobody needs").isEmpty();
    }

    @Test
    void findsAWriteOnSeveralLines() {
        assertThat(
                        writes(
                                "Files.readString(f); Files.writeString(\n f, t); Files\n.move(a, b); open(f, StandardOpenOption.READ)"))
                .containsExactly("Files.move(", "Files.writeString(");
    }

    private static Set<String> writes(String code) {
        Set<String> writes = new TreeSet<>();
        WRITES.matcher(code).results().forEach(match -> writes.add(match.group().replaceAll("\\s", "")));
        return writes;
    }
}
