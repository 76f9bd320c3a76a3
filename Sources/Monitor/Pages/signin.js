"use strict";
// What follows # is never sent; the browser keeps it through the redirection if the form's address has it.
document.forms[0].action += location.hash;
