package io.hearth.operate.rpc;

import io.hearth.balancer.log.RareLog;
import io.hearth.doctor.hbase.BackupMasterWatch;
import io.hearth.web.hbase.Answer;
import io.hearth.web.hbase.PageMetrics;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.master.HMaster;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets {@code bin/hearth} ask the HMaster: named in {@code hbase.coprocessor.master.classes}, with the jar on HBase's own class
 * path. HBase lets those in who have the ADMIN permission, as with the shell's admin commands ({@code
 * MasterRpcServices.execMasterService}), and writes each call to its audit log.
 *
 * <p>Whatever goes wrong is an answer to the one who asked: nothing is thrown at the master.
 */
@CoreCoprocessor
public class OperatorEndpoint extends HBaseLineCoprocessor {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorEndpoint.class);

    private final RareLog rareLog = new RareLog(LOG);
    private volatile @Nullable HMaster master;

    @Override
    @SuppressWarnings({"rawtypes", "deprecation"})
    public void start(CoprocessorEnvironment environment) {
        try {
            HMaster known = (HMaster) ((HasMasterServices) environment).getMasterServices();
            if (known != master) {
                master = known;
                BackupMasterWatch.start(known);
            }
        } catch (Throwable failure) {
            rareLog.warn("start", "Hearth's endpoint failed; the master goes on.", failure, nowMs());
        }
    }

    @Override
    public Answer answer(Ask ask, String json) {
        try {
            HMaster known = master;
            if (known == null) {
                throw new IllegalStateException("it was not started");
            }
            String who = RpcServer.getRequestUserName().orElse("somebody");
            return new OperatorAnswers(known, who).of(ask, json);
        } catch (Throwable failure) {
            rareLog.warn(ask.method(), "Hearth's endpoint failed; the master goes on.", failure, nowMs());
            PageMetrics.shared().failed();
            return Answer.problem(Answer.FAILED, "Hearth's endpoint failed; the master's log has the reason.");
        }
    }

    private static long nowMs() {
        return System.nanoTime() / 1_000_000;
    }
}
