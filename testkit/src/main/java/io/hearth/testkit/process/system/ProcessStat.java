package io.hearth.testkit.process.system;

import java.util.List;

/**
 * What Linux says of a process in {@code /proc/PID/stat}.
 *
 * @param state {@code R} runs, {@code S} and {@code D} wait, {@code T} is stopped, {@code Z} has ended
 * @param startTicks when it was started, in clock ticks since the machine was
 */
record ProcessStat(char state, long startTicks) {

    private static final int STATE = 0;
    private static final int START_TICKS = 19;

    /**
     * Reads the line.
     *
     * @throws IllegalArgumentException if it is none
     */
    static ProcessStat parse(String line) {
        // The name of the command is in parentheses, and may itself hold blanks and parentheses.
        int endOfName = line.lastIndexOf(')');
        List<String> rest = List.of(line.substring(endOfName + 1).strip().split(" "));
        if (endOfName < 0 || rest.size() <= START_TICKS) {
            throw new IllegalArgumentException("This is no line of /proc/PID/stat: " + line.strip());
        }
        return new ProcessStat(rest.get(STATE).charAt(0), Long.parseLong(rest.get(START_TICKS)));
    }

    boolean hasEnded() {
        return state == 'Z' || state == 'X';
    }

    boolean isStopped() {
        return state == 'T' || state == 't';
    }
}
