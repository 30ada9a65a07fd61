package millrace.contracts.requests;

/**
 * Some of the entities of an {@link EntityList}.
 *
 * @param file name in the report store
 * @param fileBytes size of the whole file; another one is not the file that was meant
 * @param offset where to begin to read
 * @param skip how many entities to pass over there
 * @param count how many to take then
 */
public record EntityRange(String file, long fileBytes, long offset, int skip, int count) {}
