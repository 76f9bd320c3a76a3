// Libraries that are loaded when they are first needed, and never linked. So a program that does not use them
// starts fast, and on a machine that lacks one, the program can say which. Only functions that Swift cannot call
// are in C: those with a variable number of arguments.
#pragma once
#include "bus.h"
#include "loudness.h"
#include "lsl.h"
#include "stretch.h"
#include "transfer.h"
