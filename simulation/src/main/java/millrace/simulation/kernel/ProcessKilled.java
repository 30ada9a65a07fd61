package millrace.simulation.kernel;

/** A method of a killed process was called by another thread. The process's own threads do not run any more. */
final class ProcessKilled extends Error {
    public ProcessKilled(String process) {
        super(process + " was killed", null, false, false);
    }
}
