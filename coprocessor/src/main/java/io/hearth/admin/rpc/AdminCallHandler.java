// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import io.hearth.ui.hbase.ApiResponse;

/** Answers what an operator asks of one master. Thread-safe; answers at once. */
interface AdminCallHandler {

    /**
     * The answer; there always is one, with its status: a service of HBase's that answers nothing is told to its caller as a message
     * that lacks fields.
     *
     * @param json what is asked for more closely, as a JSON object
     */
    ApiResponse answer(AdminCall ask, String json);
}
