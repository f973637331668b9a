package io.hearth.healing.hdfs;

import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.UnknownReason;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/** Turns what the NameNode throws into answers. */
final class NameNodeAnswers {

    /** A question to the NameNode. */
    interface Question<T> {
        Observed<T> ask() throws IOException;
    }

    private NameNodeAnswers() {}

    static <T> Observed<T> to(Question<T> question) {
        try {
            return question.ask();
        } catch (IOException failure) {
            return failed(unwrapped(failure));
        }
    }

    /** What the NameNode threw, where it was the NameNode. */
    static Exception unwrapped(Exception failure) {
        return failure instanceof RemoteException remote ? remote.unwrapRemoteException() : failure;
    }

    private static <T> Observed<T> failed(Exception failure) {
        if (failure instanceof FileNotFoundException) {
            return Observed.gone();
        }
        UnknownReason reason =
                failure instanceof AccessControlException ? UnknownReason.NOT_PERMITTED : UnknownReason.NAMENODE_FAILED;
        return Observed.unknown(reason, firstLine(failure));
    }

    static String firstLine(Throwable failure) {
        return failure.toString().lines().findFirst().orElse("");
    }
}
