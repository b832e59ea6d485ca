import pyarrow as pa,pyarrow.parquet as pq,numpy as np,time,io
n=131072
rng=np.random.default_rng(1)
cols={f"c{j}":(rng.integers(0,20,n).astype(np.int32),pa.array([f"label {i}" for i in range(20)])) for j in range(9)}
def cpu(): return time.process_time()
a=cpu()
tb=pa.table({k:v.take(pa.array(c)) for k,(c,v) in cols.items()}|{"h":rng.integers(0,80,n)})
b=cpu(); print("decode",b-a)
w=pq.ParquetWriter(io.BytesIO(),tb.schema,compression="zstd")
for i in range(3):
    b=cpu(); w.write_table(tb); print("write plain",cpu()-b)
b=cpu()
tb=pa.table({k:pa.DictionaryArray.from_arrays(pa.array(c),v) for k,(c,v) in cols.items()}|{"h":rng.integers(0,80,n)})
print("dict",cpu()-b)
w=pq.ParquetWriter(io.BytesIO(),tb.schema,compression="zstd")
for i in range(3):
    b=cpu(); w.write_table(tb); print("write dict",cpu()-b)
