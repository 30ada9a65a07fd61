package millrace.files;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** One bucket. Turns the storage's errors into IOExceptions with plain words. */
record S3Bucket(S3Clients clients, String name) {

    /** A call to the storage. */
    interface Call<T> {
        T on(S3Client s3);
    }

    /**
     * Calls the storage.
     *
     * @param object named in errors
     * @throws NoSuchFileException where the object is missing; other errors of the storage are
     *     {@link IOException}s too
     */
    <T> T call(String object, Call<T> call) throws IOException {
        try {
            return call.on(clients.s3());
        } catch (NoSuchKeyException e) {
            throw new NoSuchFileException(object);
        } catch (SdkException e) {
            throw new IOException(object + ": " + words(e), e);
        }
    }

    /** Describes the error in a few words. */
    String words(SdkException error) {
        if (error instanceof S3Exception s3) {
            String code = s3.awsErrorDetails() == null
                    ? ""
                    : String.valueOf(s3.awsErrorDetails().errorCode());
            return switch (code) {
                case "NoSuchBucket" -> "there is no bucket " + name;
                case "InvalidAccessKeyId" -> "the access key is not known there";
                case "SignatureDoesNotMatch" -> "the secret key is not that of the access key";
                case "AccessDenied" -> "these credentials may not do that in bucket " + name;
                default ->
                    String.format(Locale.ROOT, "the storage answers %d %s", s3.statusCode(), code)
                            .strip();
            };
        }
        Throwable cause = error;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return "the storage cannot be reached: " + cause.getMessage();
    }
}
