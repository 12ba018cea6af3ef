SELECT count(:function) FROM one;
