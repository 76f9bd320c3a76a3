// Libraries that are loaded when they are first needed, never linked: a program that does not use them starts as
// fast without them, and a machine that lacks them is told which one. What is here in C is what Swift cannot call:
// functions with a variable number of arguments.
#pragma once
#include "bus.h"
#include "loudness.h"
#include "lsl.h"
#include "transfer.h"
