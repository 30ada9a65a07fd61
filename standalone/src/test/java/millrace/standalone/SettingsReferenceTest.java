package millrace.standalone;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import millrace.runtime.service.ServiceMain;
import millrace.runtime.settings.DeclaredSetting;
import millrace.runtime.settings.Settings;
import millrace.testing.GeneratedPage;
import org.junit.jupiter.api.Test;

/** {@code docs/reference/settings.md} lists the settings that the program has. */
class SettingsReferenceTest {
    @Test
    void listsEverySetting() throws IOException {
        GeneratedPage.check(
                "settings.md",
                tables(),
                "-pl standalone -am test -Dtest=SettingsReferenceTest -Dsurefire.failIfNoSpecifiedTests=false");
    }

    private static String tables() {
        return ServiceMain.withCommon(StandaloneMain.sections()).entrySet().stream()
                .map(section -> "## `" + section.getKey() + "`\n\n| setting | default | |\n|---|---|---|\n"
                        + rows(Settings.declared(Map.of(section.getKey(), section.getValue()))))
                .collect(Collectors.joining("\n"));
    }

    private static String rows(List<DeclaredSetting> settings) {
        return settings.stream()
                .map(setting -> "| `" + setting.name() + "` | " + code(setting.defaultValue()) + " | "
                        + setting.doc().replace("|", "\\|").replace("<", "&lt;") + " |\n")
                .collect(Collectors.joining());
    }

    private static String code(String value) {
        return value.isEmpty() ? "" : "`" + value + "`";
    }
}
