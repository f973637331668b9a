// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.admin.rpc;

import io.hearth.admin.rpc.AdminCall.AdminCallHandler;
import io.hearth.ui.hbase.ApiResponse;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameStringPair;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.DescriptorValidationException;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FileDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcCallback;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcController;
import org.apache.hbase.thirdparty.com.google.protobuf.Service;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/**
 * Hearth's RPC service in the master, with the protobuf that HBase 3 carries under a name of its own: a method for each {@link AdminCall}, whose
 * request and answer are HBase's own pair of a name and a text. The text is JSON; the name is the ask's, or the status of the answer.
 */
final class HearthAdminService implements Service {

    private static final ServiceDescriptor DESCRIPTOR = describe();

    /** Made with all that an answer is made with: where that is missing there is no such service. */
    private static final NameStringPair PROTOTYPE = pair("", "").getDefaultInstanceForType();

    private final AdminCallHandler handler;

    HearthAdminService(AdminCallHandler handler) {
        this.handler = handler;
    }

    private static ServiceDescriptor describe() {
        ServiceDescriptorProto.Builder service =
                ServiceDescriptorProto.newBuilder().setName(AdminCall.SERVICE);
        String message = "." + NameStringPair.getDescriptor().getFullName();
        for (AdminCall ask : AdminCall.values()) {
            service.addMethod(MethodDescriptorProto.newBuilder()
                    .setName(ask.method())
                    .setInputType(message)
                    .setOutputType(message));
        }
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("HearthAdmin.proto")
                .addDependency(HBaseProtos.getDescriptor().getName())
                .addService(service)
                .build();
        try {
            return FileDescriptor.buildFrom(file, new FileDescriptor[] {HBaseProtos.getDescriptor()})
                    .findServiceByName(AdminCall.SERVICE);
        } catch (DescriptorValidationException cannotBe) {
            throw new IllegalStateException("The service's description is not valid.", cannotBe);
        }
    }

    /** Asks the active master. */
    static ApiResponse ask(Admin admin, AdminCall ask, String json) throws IOException {
        try {
            NameStringPair answer = (NameStringPair) admin.coprocessorService()
                    .callBlockingMethod(
                            DESCRIPTOR.findMethodByName(ask.method()),
                            null,
                            pair(ask.method(), json),
                            NameStringPair.getDefaultInstance());
            return ApiResponse.json(Integer.parseInt(answer.getName()), answer.getValue());
        } catch (ServiceException failure) {
            throw failure.getCause() instanceof IOException cause ? cause : new IOException(failure);
        }
    }

    private static NameStringPair pair(String name, String value) {
        return NameStringPair.newBuilder().setName(name).setValue(value).build();
    }

    @Override
    public ServiceDescriptor getDescriptorForType() {
        return DESCRIPTOR;
    }

    @Override
    public void callMethod(
            MethodDescriptor method, RpcController controller, Message request, RpcCallback<Message> done) {
        try {
            AdminCall ask = AdminCall.ofMethod(method.getName());
            ApiResponse answer = handler.answer(ask, ((NameStringPair) request).getValue());
            done.run(pair(Integer.toString(answer.status()), answer.body()));
        } catch (Throwable failure) {
            handler.failed("callMethod", failure);
        }
    }

    @Override
    public Message getRequestPrototype(MethodDescriptor method) {
        return PROTOTYPE;
    }

    @Override
    public Message getResponsePrototype(MethodDescriptor method) {
        return PROTOTYPE;
    }
}
