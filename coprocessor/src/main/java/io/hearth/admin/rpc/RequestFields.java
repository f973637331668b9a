// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** The fields of a request, as far as they are what they have to be. Stateless. */
final class RequestFields {

    private RequestFields() {}

    /** The text; empty where it is missing or no text. */
    static Optional<String> text(JsonObject request, String field) {
        JsonElement value = request.get(field);
        return value != null
                        && value.isJsonPrimitive()
                        && value.getAsJsonPrimitive().isString()
                ? Optional.of(value.getAsString())
                : Optional.empty();
    }

    /** The number; empty where it is missing or no whole number. */
    static Optional<Long> wholeNumber(JsonObject request, String field) {
        JsonElement value = request.get(field);
        try {
            return value != null
                            && value.isJsonPrimitive()
                            && value.getAsJsonPrimitive().isNumber()
                    ? Optional.of(Long.valueOf(value.getAsString()))
                    : Optional.empty();
        } catch (NumberFormatException notWhole) {
            return Optional.empty();
        }
    }
}
