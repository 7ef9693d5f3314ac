/* The registers that tell a thread of a kernel who it is, as functions of the emulated driver. */
int __nvvm_read_ptx_sreg_tid_x(void);
int __nvvm_read_ptx_sreg_ntid_x(void);
int __nvvm_read_ptx_sreg_ctaid_x(void);
