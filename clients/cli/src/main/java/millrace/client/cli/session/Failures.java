package millrace.client.cli.session;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import javax.net.ssl.SSLException;

/** Says in words why input or output failed. */
public final class Failures {
    private Failures() {}

    public static String reason(IOException e) {
        String message = String.valueOf(e.getMessage());
        return switch (e) {
            case NoSuchFileException missing -> "there is no " + missing.getFile();
            case AccessDeniedException denied -> "no permission for " + denied.getFile();
            case FileAlreadyExistsException there -> there.getFile() + " is there already";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            case UnknownHostException unknown -> "the host " + message + " is not known";
            case SocketTimeoutException late -> "it took too long (" + message + ")";
            case ConnectException refused -> message;
            case SSLException tls -> "TLS: " + message;
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : message;
        };
    }
}
