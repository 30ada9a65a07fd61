package millrace.catalog.original;

import java.util.Optional;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.validation.RequestContext.SentBody;

/**
 * What a body says of its dataset, where the path does not name one.
 *
 * @param dataset empty where the body names none that is here; {@code sent} then has an error
 * @param sent how the client has sent what is now a body of v3
 */
public record ReadBody(Optional<Dataset> dataset, SentBody sent) {}
