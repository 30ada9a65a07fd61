package millrace.simulation.kernel;

/** Thrown where something is asked of a process that was killed; its own threads see nothing any more. */
public final class ProcessKilled extends Error {
    public ProcessKilled(String process) {
        super(process + " was killed", null, false, false);
    }
}
