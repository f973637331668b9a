package io.hearth.operate.rpc;

import java.util.List;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hbase.thirdparty.com.google.protobuf.Service;

/** A master coprocessor that answers what an operator asks, on HBase 3. */
abstract class HBaseLineCoprocessor implements MasterCoprocessor, OperatorDesk {

    @Override
    public Iterable<Service> getServices() {
        return List.of(new HBaseLineService(this));
    }
}
