package millrace.runtime.accounts;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import millrace.contracts.Json;
import millrace.runtime.cli.TextFile;
import millrace.runtime.settings.SettingsException;
import millrace.runtime.settings.YamlErrorMessage;

/**
 * The content of {@code accounts.yaml}, which declares accounts.
 *
 * @param accounts with distinct ids and distinct keys
 */
public record AccountsFile(List<DeclaredAccount> accounts) {
    private static final YAMLMapper YAML = Json.strict(YAMLMapper.builder())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .build();

    public AccountsFile {
        accounts = List.copyOf(accounts);
        Set<String> seen = new HashSet<>();
        for (DeclaredAccount account : accounts) {
            if (!seen.add(account.id())) {
                throw new IllegalArgumentException("account " + account.id() + " is there twice");
            }
            for (DeclaredAccount.Key key : account.keys()) {
                if (!seen.add(key.sha256())) {
                    throw new IllegalArgumentException("a key of account " + account.id() + " is there twice");
                }
            }
        }
    }

    /** @throws SettingsException where the file is missing or invalid; its message is one line */
    public static AccountsFile read(Path file) {
        try {
            String text = TextFile.read(file);
            if (text.isBlank()) {
                throw new SettingsException("accounts file " + file + " is empty: restore it from a copy");
            }
            return YAML.readValue(text, AccountsFile.class);
        } catch (NoSuchFileException e) {
            throw new SettingsException("accounts file " + file + " does not exist");
        } catch (JsonMappingException e) {
            throw new SettingsException("accounts file " + file + ": " + path(e) + YamlErrorMessage.of(e));
        } catch (JsonProcessingException e) {
            throw new SettingsException("accounts file " + file + " is not YAML: " + YamlErrorMessage.of(e));
        } catch (IOException e) {
            throw new SettingsException("accounts file " + file + " cannot be read: " + e.getMessage());
        }
    }

    /** The accounts as YAML. */
    public String text() {
        try {
            return YAML.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write accounts", e);
        }
    }

    private static String path(JsonMappingException e) {
        StringBuilder path = new StringBuilder();
        e.getPath()
                .forEach(
                        p -> path.append(p.getFieldName() == null ? "[" + p.getIndex() + "]" : "." + p.getFieldName()));
        return path.isEmpty() ? "" : path.substring(1) + ": ";
    }
}
