// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import io.hearth.balancer.engine.MasterWork;
import io.hearth.balancer.hbase.MasterMeter;
import io.hearth.common.hadoop.LinkFailure;
import io.hearth.common.log.RateLimitedLogger;
import io.hearth.doctor.hbase.BackupMasterMonitor;
import io.hearth.ui.hbase.ApiResponse;
import io.hearth.ui.hbase.UiMetrics;
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
public class HearthAdminEndpoint extends HearthAdminCoprocessor {

    private static final Logger LOG = LoggerFactory.getLogger(HearthAdminEndpoint.class);

    private final RateLimitedLogger rateLimitedLogger = new RateLimitedLogger(LOG);
    private volatile @Nullable HMaster master;

    @Override
    @SuppressWarnings({"rawtypes", "deprecation"})
    public void start(CoprocessorEnvironment environment) {
        try {
            HMaster known = (HMaster) ((HasMasterServices) environment).getMasterServices();
            master = known;
            BackupMasterMonitor.start(known);
        } catch (Throwable failure) {
            failed("start", failure);
        }
    }

    @Override
    public ApiResponse answer(AdminCall ask, String json) {
        try {
            HMaster known = master;
            if (known == null) {
                throw new IllegalStateException("it was not started");
            }
            String who = RpcServer.getRequestUserName().orElse("somebody");
            return MasterMeter.shared()
                    .onHBasesThread(MasterWork.REQUESTS, () -> new AdminCallDispatcher(known, who).of(ask, json));
        } catch (Throwable failure) {
            failed(ask.method(), failure);
            countFailure();
            return ApiResponse.problem(
                    ApiResponse.FAILED, "Hearth's endpoint failed; the master's log has the reason.");
        }
    }

    private static void countFailure() {
        try {
            UiMetrics.shared().failed();
        } catch (LinkageError noMetrics) {
            // The log has it.
        }
    }

    @Override
    public void failed(String call, Throwable failure) {
        LinkFailure.warn(rateLimitedLogger, call, "Hearth's endpoint failed; the master goes on.", failure, nowMs());
    }

    private static long nowMs() {
        return System.nanoTime() / 1_000_000;
    }
}
