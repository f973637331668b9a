package io.hearth.healing.hdfs;

import io.hearth.healing.observe.Observed;
import io.hearth.healing.observe.UnknownReason;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

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
            return failed(unwrapped(failure), failure instanceof RemoteException);
        }
    }

    /** What the NameNode threw, where it was the NameNode. */
    static Exception unwrapped(Exception failure) {
        return failure instanceof RemoteException remote ? remote.unwrapRemoteException() : failure;
    }

    private static <T> Observed<T> failed(Exception failure, boolean answered) {
        if (failure instanceof FileNotFoundException) {
            return Observed.gone();
        }
        return Observed.unknown(reason(failure, answered), firstLine(failure));
    }

    private static UnknownReason reason(Exception failure, boolean answered) {
        if (failure instanceof AccessControlException) {
            return UnknownReason.NOT_PERMITTED;
        }
        boolean ofTheNameNode = failure instanceof StandbyException
                || failure instanceof RetriableException
                || failure instanceof SafeModeException
                || failure instanceof InvalidToken;
        return answered && !ofTheNameNode ? UnknownReason.UNREADABLE : UnknownReason.NAMENODE_FAILED;
    }

    static String firstLine(Throwable failure) {
        return failure.toString().lines().findFirst().orElse("");
    }
}
