package millrace.standalone;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import millrace.runtime.service.ServiceMain;
import millrace.runtime.settings.Settings;
import millrace.runtime.settings.Settings.DeclaredSetting;
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
        Map<String, List<DeclaredSetting>> sections =
                Settings.declared(ServiceMain.withCommon(StandaloneMain.sections())).stream()
                        .collect(Collectors.groupingBy(
                                setting -> setting.name().replaceFirst("[.].*", ""),
                                LinkedHashMap::new,
                                Collectors.toList()));
        return sections.entrySet().stream()
                .map(section -> "## `" + section.getKey() + "`\n" + table("", section.getValue(), false)
                        + table("\nHardly anybody changes these:\n", section.getValue(), true))
                .collect(Collectors.joining("\n"));
    }

    private static String table(String before, List<DeclaredSetting> settings, boolean advanced) {
        String rows = rows(settings.stream()
                .filter(setting -> setting.advanced() == advanced)
                .toList());
        return rows.isEmpty() ? "" : before + "\n| setting | default | |\n|---|---|---|\n" + rows;
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
