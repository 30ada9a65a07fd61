package millrace.contracts.requests;

/**
 * A range of the entities of an {@link EntityList}.
 *
 * @param file name in the report store
 * @param fileBytes size of the whole file, to detect a wrong file
 * @param offset where reading starts
 * @param skip entities to skip there
 * @param count entities to read then
 */
public record EntityRange(String file, long fileBytes, long offset, int skip, int count) {}
