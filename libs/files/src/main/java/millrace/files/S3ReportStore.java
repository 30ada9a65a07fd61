package millrace.files;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.Hashes;
import millrace.contracts.reports.StoredFile;
import millrace.files.store.FileNames;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A report store in a bucket. An object appears when its upload is complete; of two uploads with
 * the same name the later one stays.
 */
final class S3ReportStore implements ReportStore {
    /** For each call of {@link #check}. */
    private static final Duration START = Duration.ofSeconds(10);
    /** S3's limit for the copy of a part. */
    private static final long LARGEST_COPY = 5L * 1024 * 1024 * 1024;

    private final S3Bucket bucket;
    private final String prefix;
    private final S3UploadBuffers buffers = new S3UploadBuffers();

    /** @param prefix empty, or ends with {@code /} */
    S3ReportStore(S3Bucket bucket, String prefix) {
        this.bucket = bucket;
        this.prefix = prefix;
    }

    /**
     * Checks that the bucket can be listed and written to.
     *
     * @throws IOException where it cannot; its message is one line
     */
    void check(URI address) throws IOException {
        String probe = prefix + ".probe-" + UUID.randomUUID();
        try {
            bucket.clients().s3().listObjectsV2(r -> r.bucket(bucket.name())
                    .prefix(prefix)
                    .maxKeys(1)
                    .overrideConfiguration(c -> c.apiCallTimeout(START)));
            bucket.clients()
                    .s3()
                    .putObject(
                            r -> r.bucket(bucket.name()).key(probe).overrideConfiguration(c -> c.apiCallTimeout(START)),
                            RequestBody.fromString("x"));
            bucket.clients().s3().deleteObject(r -> r.bucket(bucket.name()).key(probe));
        } catch (SdkException e) {
            throw new IOException("report store " + address + " cannot be used: " + bucket.words(e), e);
        }
    }

    @Override
    public ReportFileWriter create(String name) {
        return new S3ReportFileWriter(name, bucket, key(name), buffers);
    }

    @Override
    public SeekableByteChannel open(String name) throws IOException {
        return new S3ObjectChannel(bucket, key(name));
    }

    /** Other than {@link #open}, it asks for no more bytes than it reads, so that the connection can be used again. */
    @Override
    public byte[] read(String name, long from, int length) throws IOException {
        if (length == 0) {
            return new byte[0];
        }
        String key = key(name);
        byte[] bytes = bucket.call(
                        name,
                        s3 -> s3.getObjectAsBytes(r ->
                                r.bucket(bucket.name()).key(key).range("bytes=" + from + "-" + (from + length - 1))))
                .asByteArray();
        if (bytes.length != length) {
            throw new EOFException(name + " ends before byte " + (from + length));
        }
        return bytes;
    }

    @Override
    public boolean exists(String name) {
        String key = key(name);
        try {
            bucket.call(name, s3 -> s3.headObject(r -> r.bucket(bucket.name()).key(key)));
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        String key = key(name);
        bucket.call(name, s3 -> s3.deleteObject(r -> r.bucket(bucket.name()).key(key)));
    }

    @Override
    public void visit(Instant writtenBefore, Visitor visitor) throws IOException {
        visitKeys(prefix, writtenBefore, visitor);
    }

    @Override
    public void visit(String folder, Instant writtenBefore, Visitor visitor) throws IOException {
        visitKeys(key(folder) + "/", writtenBefore, visitor);
    }

    private void visitKeys(String begin, Instant writtenBefore, Visitor visitor) throws IOException {
        String token = null;
        do {
            String from = token;
            var page = bucket.call(
                    "objects",
                    s3 -> s3.listObjectsV2(
                            r -> r.bucket(bucket.name()).prefix(begin).continuationToken(from)));
            for (S3Object object : page.contents()) {
                String name = object.key().substring(prefix.length());
                if (object.lastModified().isBefore(writtenBefore) && FileNames.isName(name)) {
                    visitor.visit(name);
                }
            }
            token = page.isTruncated() ? page.nextContinuationToken() : null;
        } while (token != null);
    }

    @Override
    public int deleteUnfinished(Instant writtenBefore) throws IOException {
        List<MultipartUpload> old = new ArrayList<>();
        bucket.call("uploads", s3 -> {
            s3.listMultipartUploadsPaginator(r -> r.bucket(bucket.name()).prefix(prefix)).uploads().stream()
                    .filter(u -> u.initiated().isBefore(writtenBefore))
                    .forEach(old::add);
            return old;
        });
        for (MultipartUpload upload : old) {
            bucket.call(
                    upload.key(),
                    s3 -> s3.abortMultipartUpload(
                            r -> r.bucket(bucket.name()).key(upload.key()).uploadId(upload.uploadId())));
        }
        return old.size();
    }

    /** Copies large parts within the storage, and reads them only to hash them. */
    @Override
    public StoredFile concatenate(String name, List<StoredFile> parts) throws IOException {
        try (var whole = new S3ReportFileWriter(name, bucket, key(name), buffers)) {
            for (StoredFile part : parts) {
                if (part.size() >= S3ReportFileWriter.LEAST && part.size() <= LARGEST_COPY && whole.isAtBoundary()) {
                    whole.copy(key(part.name()), count(part, whole));
                } else {
                    copy(part, whole);
                }
            }
            return whole.commit();
        }
    }

    private String count(StoredFile part, ReportFileWriter whole) throws IOException {
        byte[] buffer = new byte[1 << 16];
        MessageDigest digest = Hashes.sha256();
        try (var in = new S3ObjectChannel(bucket, key(part.name()))) {
            ByteBuffer view = ByteBuffer.wrap(buffer);
            for (int n = in.read(view); n >= 0; n = in.read(view.clear())) {
                digest.update(buffer, 0, n);
                whole.count(buffer, 0, n);
            }
            if (!HexFormat.of().formatHex(digest.digest()).equals(part.sha256())) {
                throw new IOException("part " + part.name() + " has changed since it was written");
            }
            return in.tag();
        }
    }

    @Override
    public Optional<URI> directLink(String name, String mediaType, String disposition, Duration validity) {
        String key = key(name);
        var signed = bucket.clients().presigner().presignGetObject(p -> p.signatureDuration(validity)
                .getObjectRequest(r -> r.bucket(bucket.name())
                        .key(key)
                        .responseContentType(mediaType)
                        .responseContentDisposition(disposition)));
        return Optional.of(URI.create(signed.url().toString()));
    }

    @Override
    public void close() {
        bucket.clients().close();
    }

    private String key(String name) {
        return prefix + FileNames.checked(name);
    }
}
