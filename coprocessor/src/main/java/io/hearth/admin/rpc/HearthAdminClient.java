// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import io.hearth.ui.hbase.ApiResponse;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;

/** Asks the active master of a cluster by RPC. Stateless. */
public final class HearthAdminClient {

    private HearthAdminClient() {}

    /**
     * The master's answer; empty where Hearth's endpoint is not in it.
     *
     * @throws org.apache.hadoop.hbase.security.AccessDeniedException if the user has not the ADMIN permission
     * @throws IOException if the master can't be asked
     */
    public static Optional<ApiResponse> ask(Admin admin, AdminCall ask, String json) throws IOException {
        try {
            return Optional.of(HearthAdminService.ask(admin, ask, json));
        } catch (UnknownProtocolException notInstalled) {
            return Optional.empty();
        }
    }
}
