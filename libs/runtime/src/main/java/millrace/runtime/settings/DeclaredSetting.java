package millrace.runtime.settings;

import java.util.List;

/**
 * A setting as {@code --help} and the reference page show it.
 *
 * @param name dotted key
 * @param formerly the keys before it was renamed
 * @param defaultValue empty if there is none
 * @param advanced whether hardly anybody changes it
 */
public record DeclaredSetting(String name, List<String> formerly, String defaultValue, boolean advanced, String doc) {}
