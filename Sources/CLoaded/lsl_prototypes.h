// The used part of liblsl's interface, under its own names. No package of Debian or PyPI contains its headers. If
// they are installed, the compiler compares.
#pragma once
#include <stdint.h>

#if __has_include(<lsl_c.h>)
#include <lsl_c.h>
#else
typedef struct lsl_streaminfo_struct_ *lsl_streaminfo;
typedef struct lsl_xml_ptr_struct_ *lsl_xml_ptr;
typedef struct lsl_outlet_struct_ *lsl_outlet;
typedef struct lsl_inlet_struct_ *lsl_inlet;
typedef enum { cft_float32 = 1, cft_string = 3 } lsl_channel_format_t;
typedef enum { lsl_lost_error = -2 } lsl_error_code_t;
#endif

int32_t lsl_library_version(void);
double lsl_local_clock(void);
void lsl_set_config_content(const char *content);

lsl_streaminfo lsl_create_streaminfo(const char *name, const char *type, int32_t channel_count, double nominal_srate,
                                     lsl_channel_format_t channel_format, const char *source_id);
void lsl_destroy_streaminfo(lsl_streaminfo info);
const char *lsl_get_name(lsl_streaminfo info);
const char *lsl_get_source_id(lsl_streaminfo info);
const char *lsl_get_hostname(lsl_streaminfo info);
const char *lsl_get_uid(lsl_streaminfo info);
const char *lsl_get_type(lsl_streaminfo info);
int32_t lsl_get_channel_count(lsl_streaminfo info);
double lsl_get_nominal_srate(lsl_streaminfo info);
lsl_channel_format_t lsl_get_channel_format(lsl_streaminfo info);
lsl_xml_ptr lsl_get_desc(lsl_streaminfo info);
lsl_xml_ptr lsl_append_child(lsl_xml_ptr e, const char *name);
lsl_xml_ptr lsl_append_child_value(lsl_xml_ptr e, const char *name, const char *value);
lsl_xml_ptr lsl_child(lsl_xml_ptr e, const char *name);
lsl_xml_ptr lsl_next_sibling_n(lsl_xml_ptr e, const char *name);
int32_t lsl_empty(lsl_xml_ptr e);
const char *lsl_child_value_n(lsl_xml_ptr e, const char *name);

lsl_outlet lsl_create_outlet(lsl_streaminfo info, int32_t chunk_size, int32_t max_buffered);
void lsl_destroy_outlet(lsl_outlet out);
int32_t lsl_push_sample_ftp(lsl_outlet out, const float *data, double timestamp, int32_t pushthrough);
int32_t lsl_push_sample_strtp(lsl_outlet out, const char **data, double timestamp, int32_t pushthrough);

int32_t lsl_resolve_bypred(lsl_streaminfo *buffer, uint32_t buffer_elements, const char *pred, int32_t minimum,
                           double timeout);
lsl_inlet lsl_create_inlet(lsl_streaminfo info, int32_t max_buflen, int32_t max_chunklen, int32_t recover);
void lsl_destroy_inlet(lsl_inlet in);
void lsl_open_stream(lsl_inlet in, double timeout, int32_t *ec);
double lsl_pull_sample_f(lsl_inlet in, float *buffer, int32_t buffer_elements, double timeout, int32_t *ec);
lsl_streaminfo lsl_get_fullinfo(lsl_inlet in, double timeout, int32_t *ec);
unsigned long lsl_pull_chunk_d(lsl_inlet in, double *data_buffer, double *timestamp_buffer,
                               unsigned long data_buffer_elements, unsigned long timestamp_buffer_elements,
                               double timeout, int32_t *ec);
double lsl_time_correction_ex(lsl_inlet in, double *remote_time, double *uncertainty, double timeout, int32_t *ec);
