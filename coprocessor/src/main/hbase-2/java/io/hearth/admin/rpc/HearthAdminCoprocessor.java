// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import com.google.protobuf.Service;
import io.hearth.admin.rpc.AdminCall.AdminCallHandler;
import java.util.List;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;

/** A master coprocessor that answers what an operator asks, on HBase 2. */
abstract class HearthAdminCoprocessor implements MasterCoprocessor, AdminCallHandler {

    @Override
    public Iterable<Service> getServices() {
        try {
            return List.of(new HearthAdminService(this));
        } catch (Throwable failure) {
            failed("getServices", failure);
            return List.of();
        }
    }
}
