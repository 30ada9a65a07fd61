package millrace.testing.s3;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/**
 * S3-compatible storage over a folder, on a free loopback port, that checks signatures. It can be
 * stopped and started again at the same address with the same objects.
 */
public final class S3Server implements AutoCloseable {
    public static final String BUCKET = "reports";
    public static final String ACCESS_KEY = "test-key";
    public static final String SECRET_KEY = "test-secret";

    private final URI endpoint;
    private final BlobStore objects;
    private S3Proxy server;

    private S3Server(URI endpoint, BlobStore objects) {
        this.endpoint = endpoint;
        this.objects = objects;
        this.server = server(endpoint, objects);
    }

    /** @param folder for the objects; {@link #BUCKET} is created in it */
    public static S3Server start(Path folder) {
        BlobStore objects = new FilesystemNio2BlobStore(folder.toString());
        objects.createContainer(BUCKET);
        var server = new S3Server(URI.create("http://127.0.0.1:" + freePort()), objects);
        server.restart();
        return server;
    }

    public URI endpoint() {
        return endpoint;
    }

    /** From now on connections are refused. */
    public void stop() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the storage does not stop", e);
        }
    }

    public void restart() {
        server = server(endpoint, objects);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("the storage does not start", e);
        }
    }

    @Override
    public void close() {
        stop();
    }

    private static S3Proxy server(URI endpoint, BlobStore objects) {
        return S3Proxy.builder()
                .endpoint(endpoint)
                .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
                .blobStore(objects)
                .stopTimeout(0)
                .build();
    }

    private static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
