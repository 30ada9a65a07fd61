package millrace.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import millrace.runtime.accounts.AccountsFile;
import millrace.runtime.settings.SettingsException;
import millrace.standalone.folder.DataFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoAccountTest {
    private static final LocalDate FIRST = LocalDate.of(2023, 11, 1);
    private static final LocalDate LAST = LocalDate.of(2026, 11, 7);

    @TempDir
    Path folder;

    @Test
    void keepsItsKeysAndItsDaysOverALaterStart() throws IOException {
        try (DataFolder data = DataFolder.open(folder)) {
            DemoAccount made =
                    DemoAccount.open(data, List.of("US"), FIRST, LAST).orElseThrow();
            assertThat(DemoAccount.open(data, List.of("US"), FIRST, LAST.plusDays(40)))
                    .contains(made);
            assertThat(Files.readString(data.accounts()))
                    .doesNotContain(made.batchKey())
                    .doesNotContain(made.restKey());
            assertThat(AccountsFile.read(data.accounts()).accounts())
                    .singleElement()
                    .satisfies(account -> assertThat(account.id()).isEqualTo("demo"));
        }
    }

    @Test
    void leavesAccountsOfTheOperatorsOwnAlone() throws IOException {
        try (DataFolder data = DataFolder.open(folder)) {
            Files.writeString(data.accounts(), "accounts: []\n");
            assertThat(DemoAccount.open(data, List.of("US"), FIRST, LAST)).isEmpty();
        }
    }

    @Test
    void saysInOneLineThatItsKeysCannotBeRead() throws IOException {
        try (DataFolder data = DataFolder.open(folder)) {
            for (String content : List.of("", "batch_key: x\n", "batch_key: \u00FF\n")) {
                Files.writeString(data.demoKeys(), content, StandardCharsets.ISO_8859_1);
                assertThatThrownBy(() -> DemoAccount.open(data, List.of("US"), FIRST, LAST))
                        .isInstanceOf(SettingsException.class)
                        .hasMessageStartingWith("the demo keys " + data.demoKeys() + " cannot be read: ")
                        .hasMessageContaining("restore the file from a copy, or delete it");
            }
        }
    }
}
