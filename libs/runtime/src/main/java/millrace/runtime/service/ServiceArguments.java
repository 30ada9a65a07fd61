package millrace.runtime.service;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import millrace.runtime.cli.CliRunner;
import millrace.runtime.settings.SettingsException;
import org.jspecify.annotations.Nullable;

/**
 * The parsed command line of a service: {@code --help}, {@code --help word}, {@code --help-all}, {@code --version},
 * {@code --config file}, and any setting as {@code --some.key=value}, {@code --some.key value}, or {@code --some.key} for
 * {@code true}.
 *
 * @param help null without it; the text that a setting is to be found by, or empty
 * @param settings dotted keys, with shortcuts resolved
 */
public record ServiceArguments(
        @Nullable String help,
        boolean helpAll,
        boolean version,
        @Nullable Path config,
        Map<String, String> settings) {

    /**
     * @param shortcuts short names of settings, for example {@code port} for {@code gateway.port}
     * @throws SettingsException where an argument is not of this form
     */
    public static ServiceArguments parse(String[] arguments, Map<String, String> shortcuts) {
        int lost = CliRunner.lostArgument(arguments);
        if (lost > 0) {
            throw new SettingsException(CliRunner.lostSentence(lost));
        }
        String help = null;
        boolean helpAll = false;
        boolean version = false;
        Path config = null;
        Map<String, String> settings = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            if (argument.equals("--help") || argument.equals("-h")) {
                boolean word = i + 1 < arguments.length && !arguments[i + 1].startsWith("-");
                help = word ? arguments[++i] : "";
                continue;
            }
            if (argument.equals("--help-all")) {
                helpAll = true;
                continue;
            }
            if (argument.equals("--version")) {
                version = true;
                continue;
            }
            if (!argument.startsWith("--") || argument.length() == 2) {
                throw new SettingsException("unknown argument " + argument + "; try --help");
            }
            int equals = argument.indexOf('=');
            String name = argument.substring(2, equals < 0 ? argument.length() : equals);
            boolean flag = equals < 0 && (i + 1 == arguments.length || arguments[i + 1].startsWith("--"));
            String value = flag ? "true" : equals < 0 ? arguments[++i] : argument.substring(equals + 1);
            if (name.equals("config")) {
                if (flag) {
                    throw new SettingsException("--config needs a file: --config file.yaml");
                }
                config = Path.of(value);
            } else {
                settings.put(shortcuts.getOrDefault(name, name), value);
            }
        }
        return new ServiceArguments(help, helpAll, version, config, settings);
    }
}
